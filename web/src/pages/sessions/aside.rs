//! Beside the conversation: the turn that is chosen, and what the session as a whole was given.

use domain::Timestamp;
use domain::comment::Comment;
use domain::score::{Judgements, Score};
use domain::session::{Said, Step, Turn};

use super::turns::TurnView;
use crate::chart::number;
use crate::content::{self, HEAD_BYTES};
use crate::extract::Reader;
use crate::format;
use crate::pages::spans::{ScoreRow, score_row};
use crate::pages::traces::Sight;

/// Scores that are listed.
const MOST: usize = 50;
/// Height of a step, in pixels.
const PITCH: usize = 12;
/// Steps that are drawn.
const DRAWN: usize = 14;

/// The chosen turn.
pub(crate) struct Aside {
    pub(crate) turn: TurnView,
    /// What is known of it, by name.
    pub(crate) facts: Vec<(&'static str, format::Figure)>,
    pub(crate) models: String,
    pub(crate) prompt: String,
    pub(crate) scores: Vec<ScoreRow>,
    pub(crate) bars: Vec<StepBar>,
    /// Height of the bars, in pixels.
    pub(crate) height: usize,
}

/// A step in time.
pub(crate) struct StepBar {
    pub(crate) class: &'static str,
    pub(crate) x: String,
    pub(crate) width: String,
    pub(crate) y: usize,
    pub(crate) title: String,
}

/// A remark on the session.
pub(crate) struct CommentRow {
    pub(crate) words: String,
    pub(crate) when: String,
    pub(crate) exact: String,
}

impl Aside {
    /// Of a turn with what was said.
    pub(crate) fn new(
        reader: &Reader,
        (turn, view): (&Turn, TurnView),
        (said, judgements): (Option<&Said>, &Judgements),
        now: Timestamp,
    ) -> Self {
        let lang = reader.lang();
        let steps = said.map_or(&[][..], |said| said.steps.as_slice());
        let scores = judgements.of_trace(&turn.trace_id).iter().rev();
        let bars = bars(turn, steps);
        Aside {
            facts: vec![
                (lang.t("Latency"), format::nanos(turn.latency())),
                (
                    "TTFT",
                    format::latency_or_nothing(said.and_then(|said| said.ttft_ms)),
                ),
                (lang.t("Input"), format::tokens(turn.input_tokens)),
                (lang.t("Output"), format::tokens(turn.output_tokens)),
                (lang.t("Cost"), format::dollars(turn.cost)),
                (
                    lang.t("Errors"),
                    format::count_or_nothing(Some(turn.errors)),
                ),
            ],
            models: said.map_or_else(String::new, |said| said.models.join(", ")),
            prompt: said
                .and_then(|said| said.prompt.as_ref())
                .map_or_else(String::new, |(name, version)| format!("{name} {version}")),
            scores: scores
                .take(MOST)
                .map(|score| score_row(Sight::from(reader), score, now))
                .collect(),
            height: bars.len() * PITCH,
            bars,
            turn: view,
        }
    }
}

/// Steps as bars on the time of their turn.
fn bars(turn: &Turn, steps: &[Step]) -> Vec<StepBar> {
    let end = steps.iter().filter_map(|step| step.end).max();
    let end = end.max(turn.end).filter(|end| *end > turn.start);
    let Some(end) = end else {
        return Vec::new();
    };
    let whole = (end - turn.start).0 as f64;
    let place = |at: Timestamp| {
        let at = at.max(turn.start).min(end);
        (at - turn.start).0 as f64 / whole * 100.0
    };
    let places = steps.iter().take(DRAWN).enumerate();
    places
        .map(|(at, step)| {
            let (from, to) = (place(step.start), place(step.end.unwrap_or(end)));
            let family = crate::pages::traces::kind_class(step.kind);
            StepBar {
                class: match step.failed {
                    true => "error",
                    false => family.strip_prefix("kind-").unwrap_or("bar"),
                },
                x: number(from.min(99.2)),
                width: number((to - from).max(0.8)),
                y: at * PITCH + 2,
                title: format!("{} {}", step.name, format::nanos(step.latency()).text),
            }
        })
        .collect()
}

/// Scores of the session as a whole.
pub(crate) fn session_scores(reader: &Reader, scores: &[Score], now: Timestamp) -> Vec<ScoreRow> {
    let scores = scores.iter().take(MOST);
    scores
        .map(|score| score_row(Sight::from(reader), score, now))
        .collect()
}

/// Remarks on the session.
pub(crate) fn comments(reader: &Reader, comments: &[Comment], now: Timestamp) -> Vec<CommentRow> {
    let row = |comment: &Comment| CommentRow {
        words: content::head(&comment.draft.content, HEAD_BYTES).to_owned(),
        when: reader.zone().date_time(comment.created_at, now),
        exact: comment.created_at.to_string(),
    };
    comments.iter().map(row).collect()
}
