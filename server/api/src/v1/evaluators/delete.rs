//! `DELETE /api/v1/evaluators/{evaluator_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, evaluators};

use crate::error::Result;
use crate::extract::{Caller, PathEvaluator};

/// Deletes an evaluator.
pub(crate) async fn delete_evaluator(
    State(app): State<App>,
    Caller(scope): Caller,
    PathEvaluator(id): PathEvaluator,
) -> Result<StatusCode> {
    evaluators::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
