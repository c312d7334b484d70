//! Sessions, users, costs and caches.

use domain::{ProjectId, TraceId};

use super::{segment, with_pairs, with_query};
use crate::pages::costs::query::CostQuery;
use crate::pages::sessions::query::RollupState;
use crate::pages::traces::query::ListQuery;

/// The list of sessions as it opens.
pub(crate) fn sessions_home(project: ProjectId) -> String {
    format!("/p/{project}/sessions")
}

/// The list of sessions.
pub(crate) fn sessions(project: ProjectId, state: &RollupState) -> String {
    with_query(sessions_home(project), &state.to_query())
}

/// One session.
pub(crate) fn session(project: ProjectId, session: &str) -> String {
    format!("{}/{}", sessions_home(project), segment(session))
}

/// One session at a turn, counted from 1.
pub(crate) fn session_turn(project: ProjectId, id: &str, turn: usize) -> String {
    with_pairs(&session(project, id), &[("turn", &turn.to_string())])
}

/// Writes a comment on a session, and comes back to the turn that is open.
pub(crate) fn session_comments(project: ProjectId, id: &str, turn: usize) -> String {
    let path = format!("{}/comments", session(project, id));
    with_pairs(&path, &[("turn", &turn.to_string())])
}

/// One session at the turn that is a trace.
pub(crate) fn session_trace(project: ProjectId, id: &str, trace: &TraceId) -> String {
    with_pairs(&session(project, id), &[("trace", trace.as_str())])
}

/// Turns of a session from one on, as a part of its page that stands before or after what is there.
pub(crate) fn session_turns(project: ProjectId, id: &str, (from, side): (usize, &str)) -> String {
    let from = from.to_string();
    with_pairs(&session(project, id), &[("from", &from), ("side", side)])
}

/// The list of users as it opens.
pub(crate) fn users_home(project: ProjectId) -> String {
    format!("/p/{project}/users")
}

/// The list of users.
pub(crate) fn users(project: ProjectId, state: &RollupState) -> String {
    with_query(users_home(project), &state.to_query())
}

/// One user as their page opens.
pub(crate) fn user_home(project: ProjectId, user: &str) -> String {
    format!("{}/{}", users_home(project), segment(user))
}

/// One user, over a range.
pub(crate) fn user(project: ProjectId, user: &str, query: &ListQuery) -> String {
    with_query(user_home(project, user), &query.to_query())
}

/// Costs as they open.
pub(crate) fn costs_home(project: ProjectId) -> String {
    format!("/p/{project}/costs")
}

/// Costs by a dimension.
pub(crate) fn costs(project: ProjectId, query: &CostQuery) -> String {
    with_query(costs_home(project), &query.to_query())
}

/// What caches save, over a range.
pub(crate) fn cache(project: ProjectId, query: &ListQuery) -> String {
    with_query(cache_home(project), &query.to_query())
}

/// What caches save.
pub(crate) fn cache_home(project: ProjectId) -> String {
    format!("/p/{project}/cache")
}
