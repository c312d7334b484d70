//! `DELETE /api/v1/legal-holds/{legal_hold_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::App;
use service::deletions::holds;

use crate::error::Result;
use crate::extract::{Caller, PathLegalHold};

/// Lifts one.
pub(crate) async fn delete_legal_hold(
    State(app): State<App>,
    Caller(scope): Caller,
    PathLegalHold(id): PathLegalHold,
) -> Result<StatusCode> {
    holds::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
