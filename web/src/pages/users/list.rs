//! The list of users.

use std::collections::HashMap;

use askama::Template;
use axum::extract::State;
use domain::Timestamp;
use domain::rollup::{Rollup, RollupBy, RollupOrder, RollupPage};
use service::{App, rollups};

use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::layout::{Frame, RangeControl, Section, Shell};
use crate::pages::sessions::head::Head;
use crate::pages::sessions::query::RollupState;
use crate::pages::sessions::row_tokens;
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Orders of the list.
const ORDERS: [RollupOrder; 5] = [
    RollupOrder::Activity,
    RollupOrder::Traces,
    RollupOrder::Cost,
    RollupOrder::Tokens,
    RollupOrder::Errors,
];

/// When users were first and last seen, by their id.
pub(crate) type Seen = HashMap<String, (Timestamp, Timestamp)>;

/// The list.
#[derive(Template)]
#[template(path = "users/list.html")]
pub(crate) struct UsersPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) head: Head,
    pub(crate) rows: Vec<UserRow>,
    /// How a user is sent: the attribute that names them.
    pub(crate) attribute: &'static str,
}

/// A user.
pub(crate) struct UserRow {
    pub(crate) url: String,
    pub(crate) id: String,
    pub(crate) last: String,
    pub(crate) last_exact: String,
    pub(crate) first: String,
    pub(crate) first_exact: String,
    pub(crate) traces: String,
    pub(crate) sessions: String,
    pub(crate) error_share: String,
    pub(crate) errors: String,
    pub(crate) failed: bool,
    /// Mean of scores from 0 to 1.
    pub(crate) score: String,
    /// How many scores.
    pub(crate) scores: String,
    pub(crate) failed_checks: String,
    pub(crate) any_failed_checks: bool,
    pub(crate) tokens: Figure,
    pub(crate) cost: Figure,
    /// Calls whose cost is unknown; empty when there are none.
    pub(crate) unpriced: String,
}

impl UsersPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        state: &RollupState,
        (page, seen): (RollupPage, &Seen),
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Users);
        let address = |list: &ListQuery| urls::users(id, &state.with_range(list));
        let look = (&shell, &reader.visitor.choices);
        let mut range = RangeControl::new(&address, &state.list, look, now);
        range.keep = state.to_pairs();
        range.action = urls::users_home(id);
        frame.range = Some(range);
        let in_list = |state: &RollupState| urls::users(id, state);
        UsersPage {
            head: Head::new(&in_list, state, (&ORDERS, page.next), lang),
            rows: page
                .rows
                .iter()
                .map(|row| user_row(reader, row, (seen.get(&row.id).copied(), now)))
                .collect(),
            attribute: "user.id",
            shell,
            frame,
        }
    }
}

fn user_row(
    reader: &Reader,
    row: &Rollup,
    (seen, now): (Option<(Timestamp, Timestamp)>, Timestamp),
) -> UserRow {
    let (id, zone) = (reader.id(), reader.zone());
    let (first, last) = seen.unwrap_or((row.first, row.last));
    UserRow {
        url: urls::user_home(id, &row.id),
        id: row.id.clone(),
        last: zone.row_time(last, now),
        last_exact: zone.exact(last),
        first: zone.date(first),
        first_exact: zone.exact(first),
        traces: format::count(row.traces),
        sessions: format::count(row.sessions),
        error_share: format::percent(row.failed_traces, row.traces),
        errors: format::count(row.failed_traces),
        failed: row.failed_traces > 0,
        score: mean(row),
        scores: format::count(row.scores),
        failed_checks: format::count(row.failed_checks),
        any_failed_checks: row.failed_checks > 0,
        tokens: format::tokens(row_tokens(row)),
        cost: format::dollars(row.cost),
        unpriced: match row.unpriced_calls {
            0 => String::new(),
            calls => reader
                .lang()
                .fill("Calls without a price: {}", &[&format::count(calls)]),
        },
    }
}

/// The mean of scores from 0 to 1; a dot without any.
pub(super) fn mean(row: &Rollup) -> String {
    row.score_mean
        .map_or_else(|| format::NOTHING.to_owned(), |mean| format!("{mean:.2}"))
}

/// Shows it.
pub(crate) async fn list_users(State(app): State<App>, entered: InProject, pairs: Pairs) -> Answer {
    let reader = &entered.reader;
    let read = RollupState::read(RollupBy::User, &pairs, reader.zone())?;
    if read.from_form {
        return Ok(see_other(&urls::users(entered.id(), &read.state)));
    }
    let now = app.clock().now();
    let wanted = read.state.wanted(now);
    let page = rollups::list(&app, &entered.scope, &wanted).await?;
    let ids: Vec<&str> = page.rows.iter().map(|row| row.id.as_str()).collect();
    let seen = rollups::seen(&app, &entered.scope, &ids).await?;
    let page = UsersPage::new(reader, &read.state, (page, &seen), now);
    Ok(render(&page))
}
