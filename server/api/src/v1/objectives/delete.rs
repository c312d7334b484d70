//! `DELETE /api/v1/objectives/{objective_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, objectives};

use crate::error::Result;
use crate::extract::{Caller, PathObjective};

/// Deletes an objective.
pub(crate) async fn delete_objective(
    State(app): State<App>,
    Caller(scope): Caller,
    PathObjective(id): PathObjective,
) -> Result<StatusCode> {
    objectives::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
