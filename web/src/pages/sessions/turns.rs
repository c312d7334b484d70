//! Turns of a conversation as the person saw them: what they asked, what they were told, with what was
//! done in between folded away.

use std::collections::BTreeMap;

use domain::message::{Side, last_user_text, output_text, said};
use domain::score::Judgements;
use domain::session::{Said, Step, Turn};
use domain::span::{Content, Span, SpanKind};

use crate::content;
use crate::extract::Reader;
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::pages::spans::in_a_line;
use crate::urls;

/// Bytes of what somebody said that are shown; the whole is on the page of the trace.
const MAX_SAID: usize = 6_000;
/// Names of steps in a line.
const NAMED: usize = 4;

/// A turn.
pub(crate) struct TurnView {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// Its page within the session.
    pub(crate) url: String,
    pub(crate) trace_url: String,
    /// Repeats the call that gave the answer; empty where there is none.
    pub(crate) again_url: String,
    pub(crate) name: String,
    pub(crate) time: String,
    pub(crate) exact: String,
    pub(crate) latency: Figure,
    pub(crate) tokens: Figure,
    pub(crate) cost: Figure,
    /// What the person asked.
    pub(crate) asked: Words,
    /// What the person was told.
    pub(crate) answered: Words,
    /// `3 steps: search × 2, answer`; empty where there are none.
    pub(crate) steps: String,
    /// The steps themselves.
    pub(crate) step_rows: Vec<StepRow>,
    /// What the first failed span said; empty where none failed.
    pub(crate) error: String,
    /// Whether a span failed.
    pub(crate) failed: bool,
    /// What else was wrong: checks, scores.
    pub(crate) faults: Vec<String>,
    /// Scores of the trace as a whole in a line.
    pub(crate) scores: String,
    pub(crate) bad: bool,
    /// `6 min pause`, where one before it was shortened.
    pub(crate) pause: String,
    /// Whether it is the one that is chosen.
    pub(crate) current: bool,
}

/// Something that was said.
#[derive(Default)]
pub(crate) struct Words {
    pub(crate) text: String,
    /// Whether it is code: JSON that is no conversation.
    pub(crate) code: bool,
    /// Whether there is more.
    pub(crate) cut: bool,
}

/// A step.
pub(crate) struct StepRow {
    pub(crate) url: String,
    /// Repeats it; empty where it is no call of a model.
    pub(crate) again_url: String,
    pub(crate) kind: SpanKind,
    pub(crate) kind_class: &'static str,
    pub(crate) name: String,
    pub(crate) latency: Figure,
    pub(crate) failed: bool,
}

/// A turn with all that is told of it.
pub(crate) struct Subject<'a> {
    /// The session.
    pub(crate) session: &'a str,
    /// Its number, from 1.
    pub(crate) number: usize,
    pub(crate) turn: &'a Turn,
    /// What was said; `None` where the trace has gone meanwhile.
    pub(crate) said: Option<&'a Said>,
    pub(crate) judgements: &'a Judgements,
    /// The pause before it, in words.
    pub(crate) pause: String,
    /// Whether it is the one that is chosen.
    pub(crate) current: bool,
}

impl TurnView {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, subject: Subject<'_>) -> Self {
        let (id, lang, zone) = (reader.id(), reader.lang(), reader.zone());
        let turn = subject.turn;
        let steps = subject.said.map_or(&[][..], |said| said.steps.as_slice());
        let error = subject.said.and_then(|said| said.error.clone());
        TurnView {
            number: subject.number,
            url: urls::session_turn(id, subject.session, subject.number),
            trace_url: urls::trace(id, &turn.trace_id),
            again_url: steps
                .iter()
                .rfind(|step| step.kind == SpanKind::Generation)
                .map_or_else(String::new, |step| {
                    urls::playground_step(id, &turn.trace_id, &step.span_id)
                }),
            name: turn.name.clone(),
            time: zone.clock(turn.start),
            exact: zone.exact(turn.start),
            latency: format::nanos(turn.latency()),
            tokens: format::tokens(turn_tokens(turn)),
            cost: format::dollars(turn.cost),
            asked: words(
                subject.said.and_then(|said| said.asked.as_ref()),
                Side::Input,
            ),
            answered: words(
                subject.said.and_then(|said| said.answered.as_ref()),
                Side::Output,
            ),
            steps: in_words(steps, lang),
            step_rows: steps
                .iter()
                .map(|step| StepRow {
                    url: urls::trace_span(id, &turn.trace_id, &step.span_id),
                    again_url: match step.kind {
                        SpanKind::Generation => {
                            urls::playground_step(id, &turn.trace_id, &step.span_id)
                        }
                        _ => String::new(),
                    },
                    kind: step.kind,
                    kind_class: crate::pages::traces::kind_class(step.kind),
                    name: step.name.clone(),
                    latency: format::nanos(step.latency()),
                    failed: step.failed,
                })
                .collect(),
            failed: turn.errors > 0,
            error: match turn.errors {
                0 => String::new(),
                _ => error.unwrap_or_default(),
            },
            faults: faults(turn, lang),
            scores: in_a_line(subject.judgements, &turn.trace_id, lang)
                .map_or_else(String::new, |(few, _)| few),
            bad: turn.is_bad(),
            pause: subject.pause,
            current: subject.current,
        }
    }

    /// One line for the list of turns.
    pub(crate) fn line(&self) -> &str {
        match self.asked.text.is_empty() {
            true => &self.name,
            false => &self.asked.text,
        }
    }
}

/// Input and output together; `None` when neither is known.
pub(crate) fn turn_tokens(turn: &Turn) -> Option<u64> {
    match (turn.input_tokens, turn.output_tokens) {
        (None, None) => None,
        (input, output) => Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0))),
    }
}

fn faults(turn: &Turn, lang: Lang) -> Vec<String> {
    let mut faults = Vec::new();
    if turn.failed_checks > 0 {
        let count = format::count(turn.failed_checks);
        faults.push(lang.fill("Checks that failed: {}", &[&count]));
    }
    if turn.low_scores > 0 {
        let count = format::count(turn.low_scores);
        faults.push(lang.fill("Scores below 0.5, or no: {}", &[&count]));
    }
    faults
}

/// Steps by name with their number, in the order of their first.
fn in_words(steps: &[Step], lang: Lang) -> String {
    // The one generation of a plain turn is the answer itself.
    if steps.len() <= 1 && steps.iter().all(|step| step.kind == SpanKind::Generation) {
        return String::new();
    }
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        counts.entry(&step.name).or_insert((at, 0)).1 += 1;
    }
    let mut names: Vec<(&str, (usize, usize))> = counts.into_iter().collect();
    names.sort_by_key(|(_, (first, _))| *first);
    let more = if names.len() > NAMED { " …" } else { "" };
    let named = names.iter().take(NAMED).map(|(name, (_, count))| {
        let name = content::head(name, 60);
        match count {
            1 => name.to_owned(),
            many => format!("{name} × {many}"),
        }
    });
    let named: Vec<String> = named.collect();
    let line = format!("{}{more}", named.join(", "));
    lang.fill("{} steps: {}", &[&steps.len().to_string(), &line])
}

/// What was said at one end of a span, as a person reads it.
fn words(span: Option<&Span>, side: Side) -> Words {
    let Some(span) = span else {
        return Words::default();
    };
    if let Some(conversation) = said(span, side) {
        let messages = &conversation.messages;
        let text = match side {
            Side::Input => last_user_text(messages).unwrap_or_default(),
            Side::Output => output_text(messages),
        };
        if !text.trim().is_empty() {
            return shown(&text, false);
        }
    }
    let content = match side {
        Side::Input => &span.input,
        Side::Output => &span.output,
    };
    content.as_ref().map_or_else(Words::default, raw)
}

/// A content that is no conversation: a JSON text is what it says, any other JSON is code.
fn raw(content: &Content) -> Words {
    let text = content.text.trim();
    if matches!(text, "" | "null" | "[]" | "{}" | "\"\"") {
        return Words::default();
    }
    match serde_json::from_str::<String>(text) {
        Ok(inner) => shown(&inner, false),
        Err(_) => shown(text, text.starts_with(['{', '['])),
    }
}

fn shown(text: &str, code: bool) -> Words {
    let head = content::head(text, MAX_SAID);
    Words {
        text: head.trim().to_owned(),
        code,
        cut: head.len() < text.len(),
    }
}
