//! Sessions: list, replay.

use axum::extract::RawPathParams;
use domain::Fault;

use crate::pages::traces::segment;

/// Beside the conversation: the turn that is chosen.
mod aside;
/// What people remark on a session.
mod comments;
/// Filters in force, orders, and the rest of what lists of sessions and users share.
pub(crate) mod head;
/// The list.
mod list;
/// The state of a list, as its address holds it.
pub(crate) mod query;
/// One session, turn by turn.
mod show;
/// Turns with what was said.
mod turns;

pub(crate) use comments::create_session_comment;
pub(crate) use list::{SessionRow, SessionsPage, list_sessions, session_row, tokens as row_tokens};
pub(crate) use show::{ReplayPage, Told, show_session};

/// The session that the path names.
pub(crate) fn session_id(params: &RawPathParams) -> Result<&str, Fault> {
    let id = segment(params, "session").filter(|id| !id.is_empty());
    id.ok_or_else(|| Fault::not_found("there is no session of this id"))
}
