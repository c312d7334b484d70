//! `GET /api/v1/evaluators/{evaluator_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, evaluators};

use crate::error::Result;
use crate::extract::{Caller, PathEvaluator};
use crate::shape::EvaluatorRow;

/// One evaluator.
pub(crate) async fn show_evaluator(
    State(app): State<App>,
    Caller(scope): Caller,
    PathEvaluator(id): PathEvaluator,
) -> Result<Response> {
    let (evaluator, figures) = evaluators::show(&app, &scope, id).await?;
    Ok(Json(EvaluatorRow::new(&evaluator, &figures)).into_response())
}
