//! `GET /api/v1/sessions/{session}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use service::{App, sessions};

use crate::error::Result;
use crate::extract::{Caller, PathSession};
use crate::shape::WholeSession;

/// One session with its turns, the earliest first.
pub(crate) async fn show_session(
    State(app): State<App>,
    Caller(scope): Caller,
    PathSession(id): PathSession,
) -> Result<Response> {
    let turns = sessions::turns(&app, &scope, &id).await?;
    let turns = turns.ok_or_else(|| Fault::not_found("there is no session of this id"))?;
    Ok(Json(WholeSession::new(&id, &turns)).into_response())
}
