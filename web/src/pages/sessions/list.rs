//! The list of sessions.

use askama::Template;
use axum::extract::State;
use domain::rollup::{Rollup, RollupBy, RollupOrder, RollupPage};
use domain::{ProjectId, Timestamp};
use service::{App, rollups};

use super::head::Head;
use super::query::RollupState;
use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::layout::{Frame, RangeControl, Section, Shell};
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// The list.
#[derive(Template)]
#[template(path = "sessions/list.html")]
pub(crate) struct SessionsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) head: Head,
    pub(crate) rows: Vec<SessionRow>,
    /// How a session is sent: the attribute that names it.
    pub(crate) attribute: &'static str,
}

/// A session.
pub(crate) struct SessionRow {
    pub(crate) url: String,
    pub(crate) id: String,
    pub(crate) last: String,
    pub(crate) exact: String,
    /// The first of its users.
    pub(crate) user: String,
    pub(crate) user_url: String,
    /// `+2` where there are more.
    pub(crate) more_users: String,
    pub(crate) environment: String,
    pub(crate) traces: String,
    pub(crate) errors: String,
    pub(crate) failed: bool,
    pub(crate) duration: Figure,
    pub(crate) tokens: Figure,
    pub(crate) cost: Figure,
    /// Calls whose cost is unknown; empty when there are none.
    pub(crate) unpriced: String,
}

impl SessionsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        state: &RollupState,
        page: RollupPage,
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Sessions);
        let address = |list: &ListQuery| urls::sessions(id, &state.with_range(list));
        let look = (&shell, &reader.visitor.choices);
        let mut range = RangeControl::new(&address, &state.list, look, now);
        range.keep = state.to_pairs();
        range.action = urls::sessions_home(id);
        frame.range = Some(range);
        let in_list = |state: &RollupState| urls::sessions(id, state);
        SessionsPage {
            head: Head::new(&in_list, state, (RollupOrder::ALL, page.next), lang),
            rows: page
                .rows
                .iter()
                .map(|row| session_row(reader, row, now))
                .collect(),
            attribute: "session.id",
            shell,
            frame,
        }
    }
}

/// A row of the list.
pub(crate) fn session_row(reader: &Reader, row: &Rollup, now: Timestamp) -> SessionRow {
    let (id, zone): (ProjectId, _) = (reader.id(), reader.zone());
    let user = row.users.first().cloned().unwrap_or_default();
    SessionRow {
        url: urls::session(id, &row.id),
        id: row.id.clone(),
        last: zone.row_time(row.last, now),
        exact: zone.exact(row.last),
        user_url: match user.is_empty() {
            true => String::new(),
            false => urls::user_home(id, &user),
        },
        user,
        more_users: match row.users.len() {
            0 | 1 => String::new(),
            many => format!("+{}", many - 1),
        },
        environment: row
            .environments
            .iter()
            .filter(|name| *name != domain::span::DEFAULT_ENVIRONMENT)
            .cloned()
            .collect::<Vec<_>>()
            .join(", "),
        traces: format::count(row.traces),
        errors: format::count(row.failed_traces),
        failed: row.failed_traces > 0,
        duration: format::nanos(row.duration()),
        tokens: format::tokens(tokens(row)),
        cost: format::dollars(row.cost),
        unpriced: match row.unpriced_calls {
            0 => String::new(),
            calls => reader
                .lang()
                .fill("Calls without a price: {}", &[&format::count(calls)]),
        },
    }
}

/// Input and output together; `None` when neither is known.
pub(crate) fn tokens(row: &Rollup) -> Option<u64> {
    match (row.input_tokens, row.output_tokens) {
        (None, None) => None,
        (input, output) => Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0))),
    }
}

/// Shows it.
pub(crate) async fn list_sessions(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let reader = &entered.reader;
    let read = RollupState::read(RollupBy::Session, &pairs, reader.zone())?;
    if read.from_form {
        return Ok(see_other(&urls::sessions(entered.id(), &read.state)));
    }
    let now = app.clock().now();
    let wanted = read.state.wanted(now);
    let page = rollups::list(&app, &entered.scope, &wanted).await?;
    Ok(render(&SessionsPage::new(reader, &read.state, page, now)))
}
