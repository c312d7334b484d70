use axum::routing::get;

use super::queries::{RANGE, ROLLUPS};
use super::{Access, Answer, Route};
use crate::v1;

/// Sessions and users.
pub(super) static USAGE: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/v1/sessions",
        operation: "list_sessions",
        what: "Sessions with what their traces that began within the range come to; the one that was \
               active last first, unless `sort` says otherwise.",
        access: Access::Project,
        query: ROLLUPS,
        answer: Answer::List("SessionSummary"),
        handler: || get(v1::sessions::list_sessions),
    },
    Route {
        method: "GET",
        path: "/api/v1/sessions/{session}",
        operation: "show_session",
        what: "One session with its turns, the earliest first; a turn is a trace. Of more than 1,000 \
               the others are counted; the list of traces has them all.",
        access: Access::Project,
        query: &[],
        answer: Answer::Json("Session"),
        handler: || get(v1::sessions::show_session),
    },
    Route {
        method: "GET",
        path: "/api/v1/users",
        operation: "list_users",
        what: "Users with what their traces that began within the range come to; the one that was \
               active last first, unless `sort` says otherwise.",
        access: Access::Project,
        query: ROLLUPS,
        answer: Answer::List("UserSummary"),
        handler: || get(v1::users::list_users),
    },
    Route {
        method: "GET",
        path: "/api/v1/users/{user}",
        operation: "show_user",
        what: "One user with what their traces that began within the range come to.",
        access: Access::Project,
        query: RANGE,
        answer: Answer::Json("UserSummary"),
        handler: || get(v1::users::show_user),
    },
];
