//! One session, turn by turn: the conversation as the person saw it, its time to move along, and the
//! chosen turn beside it. Only turns that are seen are read with what was said.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::annotation::ObjectKind;
use domain::comment::Comment;
use domain::score::{Judgements, Score};
use domain::session::{Said, Turn, Turns};
use domain::tenancy::Permission;
use domain::{Fault, Timestamp, TraceId, Usd};
use http::HeaderMap;
use service::sessions::{self, SAID_AT_ONCE};
use service::{App, scores};

use super::aside::{self, Aside, CommentRow};
use super::session_id;
use super::turns::{Subject, TurnView, turn_tokens};
use crate::chart::scrubber::{self, Scrubber};
use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::layout::{Frame, Section, Shell};
use crate::pages::spans::ScoreRow;
use crate::pages::{Answer, fragment_target, html, is_fragment, render};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(
    path = "sessions/show.html",
    blocks = ["replay", "turn_block", "aside"]
)]
pub(crate) struct ReplayPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) id: String,
    pub(crate) here: String,
    pub(crate) list_url: String,
    pub(crate) user: String,
    pub(crate) user_url: String,
    /// What is said of the session beside its id.
    pub(crate) facts: Vec<(&'static str, Figure)>,
    /// The turns of the window.
    pub(crate) turns: Vec<TurnView>,
    /// How many there are.
    pub(crate) count: usize,
    /// Turns that are not read at all; empty when there are none.
    pub(crate) left_out: String,
    /// Where this stands as a part of the page: [`BEFORE`] what is there, or [`AFTER`]; empty where it is
    /// the page.
    pub(crate) side: &'static str,
    /// The block before the window; empty at the start.
    pub(crate) earlier_url: String,
    /// The block after it; empty at the end.
    pub(crate) later_url: String,
    pub(crate) scrubber: Scrubber,
    /// Place of the chosen turn on the line, in percent.
    pub(crate) at: String,
    /// Number of the chosen turn.
    pub(crate) number: usize,
    pub(crate) previous_url: String,
    pub(crate) next_url: String,
    /// The first turn with something wrong; empty when there is none.
    pub(crate) first_bad_url: String,
    /// Numbers of turns with something wrong, with commas between them.
    pub(crate) bad: String,
    pub(crate) aside: Option<Aside>,
    pub(crate) scores: Vec<ScoreRow>,
    pub(crate) comments: Vec<CommentRow>,
    /// Where one is written; empty for whoever may not.
    pub(crate) comment_url: String,
    /// Puts it into a queue to be judged; empty for whoever may not.
    pub(crate) queue_url: String,
}

/// A part that stands before what is there.
const BEFORE: &str = "before";
/// A part that stands after it.
const AFTER: &str = "after";

/// All that was read of a session.
pub(crate) struct Told {
    /// Its id.
    pub(crate) id: String,
    pub(crate) turns: Turns,
    /// The chosen turn, from 0.
    pub(crate) chosen: usize,
    /// The first turn of the window, from 0.
    pub(crate) from: usize,
    /// What was said in the turns of the window.
    pub(crate) said: Vec<Said>,
    pub(crate) judgements: Judgements,
    /// What the session as a whole was given.
    pub(crate) remarks: (Vec<Score>, Vec<Comment>),
}

impl ReplayPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, told: &Told, now: Timestamp) -> Self {
        let (project, lang) = (reader.id(), reader.lang());
        let all = &told.turns.turns;
        let scrubber = scrubber::draw(all);
        let view = |at: usize| turn_view(reader, told, (at, &scrubber));
        let until = (told.from + SAID_AT_ONCE).min(all.len());
        let number = told.chosen + 1;
        let turn_url = |number: usize| match (1..=all.len()).contains(&number) {
            true => urls::session_turn(project, &told.id, number),
            false => String::new(),
        };
        let bad = all.iter().enumerate().filter(|(_, turn)| turn.is_bad());
        let bad: Vec<String> = bad.map(|(at, _)| (at + 1).to_string()).collect();
        let aside = all.get(told.chosen).zip(view(told.chosen));
        let user = all.iter().rev().find_map(|turn| turn.user_id.clone());
        let mut frame = Frame::new(reader, Section::Sessions);
        frame.rail = true;
        ReplayPage {
            shell: Frame::shell(reader),
            frame,
            here: urls::session(project, &told.id),
            list_url: urls::sessions_home(project),
            user_url: user
                .as_ref()
                .map_or_else(String::new, |user| urls::user_home(project, user)),
            user: user.unwrap_or_default(),
            facts: facts(reader, &told.turns, bad.len()),
            turns: (told.from..until).filter_map(view).collect(),
            count: all.len(),
            left_out: match told.turns.left_out {
                0 => String::new(),
                more => lang.fill("{} later turns are not shown", &[&format::count(more)]),
            },
            side: "",
            earlier_url: match told.from {
                0 => String::new(),
                from => {
                    let from = from.saturating_sub(SAID_AT_ONCE) + 1;
                    urls::session_turns(project, &told.id, (from, BEFORE))
                }
            },
            later_url: match until < all.len() {
                true => urls::session_turns(project, &told.id, (until + 1, AFTER)),
                false => String::new(),
            },
            at: scrubber
                .places
                .get(told.chosen)
                .map_or_else(String::new, |place| crate::chart::number(*place)),
            number,
            previous_url: turn_url(number - 1),
            next_url: turn_url(number + 1),
            first_bad_url: bad
                .first()
                .and_then(|number| number.parse().ok())
                .map_or_else(String::new, turn_url),
            bad: bad.join(","),
            aside: aside.map(|(turn, view)| {
                let told_of = (said_of(told, turn), &told.judgements);
                Aside::new(reader, (turn, view), told_of, now)
            }),
            scores: aside::session_scores(reader, &told.remarks.0, now),
            comments: aside::comments(reader, &told.remarks.1, now),
            comment_url: match reader.may(Permission::Annotate) {
                true => urls::session_comments(project, &told.id, number),
                false => String::new(),
            },
            queue_url: match reader.may(Permission::ManageQueues) {
                true => urls::queue_add_one(project, ObjectKind::Session, &told.id),
                false => String::new(),
            },
            scrubber,
            id: told.id.clone(),
        }
    }
}

fn turn_view(reader: &Reader, told: &Told, (at, scrubber): (usize, &Scrubber)) -> Option<TurnView> {
    let turn = told.turns.turns.get(at)?;
    let pause = scrubber.before.get(at).copied().flatten();
    let pause = pause.map(|length| {
        let words = format::range_length(length);
        reader.lang().fill("{} pause", &[&words])
    });
    let subject = Subject {
        session: &told.id,
        number: at + 1,
        turn,
        said: said_of(told, turn),
        judgements: &told.judgements,
        pause: pause.unwrap_or_default(),
        current: at == told.chosen,
    };
    Some(TurnView::new(reader, subject))
}

fn said_of<'t>(told: &'t Told, turn: &Turn) -> Option<&'t Said> {
    told.said.iter().find(|said| said.trace_id == turn.trace_id)
}

fn facts(reader: &Reader, turns: &Turns, bad: usize) -> Vec<(&'static str, Figure)> {
    let lang = reader.lang();
    let count = |number: usize| format::count_or_nothing(Some(number as u64));
    let failed = turns.turns.iter().filter(|turn| turn.errors > 0).count();
    let unpriced: u64 = turns.turns.iter().map(|turn| turn.unpriced_calls).sum();
    let cost = turns.sum(|turn| turn.cost, |a: Usd, b: Usd| a + b);
    let mut facts = vec![
        (lang.t("Turns"), count(turns.turns.len())),
        (lang.t("Lasted"), format::nanos(turns.duration())),
        (lang.t("Cost"), format::dollars(cost)),
        (
            lang.t("Tokens"),
            format::tokens(turns.sum(turn_tokens, u64::saturating_add)),
        ),
    ];
    if unpriced > 0 {
        let calls = format::count_or_nothing(Some(unpriced));
        facts.push((lang.t("Calls without a price"), calls));
    }
    if failed > 0 {
        facts.push((lang.t("With errors"), count(failed)));
    }
    if bad > 0 {
        facts.push((lang.t("Bad turns"), count(bad)));
    }
    facts
}

/// Shows it, or the part that a script asks for.
pub(crate) async fn show_session(
    State(app): State<App>,
    entered: InProject,
    headers: HeaderMap,
    (params, pairs): (RawPathParams, Pairs),
) -> Answer {
    let id = session_id(&params)?;
    let scope = &entered.scope;
    let missing = || Fault::not_found("there is no session of this id");
    let turns = sessions::turns(&app, scope, id)
        .await?
        .ok_or_else(missing)?;
    let chosen = chosen(&pairs, &turns.turns);
    let target = fragment_target(&headers);
    let from = match (target, number(&pairs, "from")) {
        // Beside the conversation only one turn is told.
        (Some("turn-aside"), _) => chosen,
        (_, Some(from)) => from.min(turns.turns.len()) - 1,
        (_, None) => chosen / SAID_AT_ONCE * SAID_AT_ONCE,
    };
    let window = match target {
        Some("turn-aside") => 1,
        _ => SAID_AT_ONCE,
    };
    let ids: Vec<&TraceId> = turns
        .turns
        .iter()
        .skip(from)
        .take(window)
        .map(|turn| &turn.trace_id)
        .collect();
    let owned: Vec<TraceId> = ids.iter().copied().cloned().collect();
    let (said, judgements, remarks) = tokio::join!(
        sessions::said(&app, scope, &ids),
        scores::of_traces(&app, scope, &owned),
        sessions::remarks(&app, scope, id),
    );
    let told = Told {
        id: id.to_owned(),
        chosen,
        from,
        said: said?,
        judgements: judgements?,
        remarks: remarks?,
        turns,
    };
    let mut page = ReplayPage::new(&entered.reader, &told, app.clock().now());
    page.side = match pairs.get("side") {
        Some(BEFORE) => BEFORE,
        _ => AFTER,
    };
    Ok(match target {
        Some("turn-aside") => html(page.as_aside().render()),
        Some("replay") => {
            page.side = "";
            html(page.as_replay().render())
        }
        _ if is_fragment(&headers) && pairs.get("from").is_some() => {
            html(page.as_turn_block().render())
        }
        _ => {
            page.side = "";
            render(&page)
        }
    })
}

/// A number from 1 on.
fn number(pairs: &Pairs, name: &str) -> Option<usize> {
    let number: usize = pairs.filled(name)?.parse().ok()?;
    (number > 0).then_some(number)
}

/// Which turn the address means, from 0; the first where it names none.
fn chosen(pairs: &Pairs, turns: &[Turn]) -> usize {
    let by_trace = pairs.filled("trace").and_then(|trace| {
        let mut turns = turns.iter();
        turns.position(|turn| turn.trace_id.as_str() == trace)
    });
    let by_number = || number(pairs, "turn").map_or(0, |number| number - 1);
    by_trace
        .unwrap_or_else(by_number)
        .min(turns.len().saturating_sub(1))
}
