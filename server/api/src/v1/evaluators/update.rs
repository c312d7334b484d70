//! `PATCH /api/v1/evaluators/{evaluator_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, evaluators};

use super::draft;
use crate::error::Result;
use crate::extract::{Body, Caller, PathEvaluator};
use crate::shape::EvaluatorRow;

/// Changes an evaluator.
pub(crate) async fn update_evaluator(
    State(app): State<App>,
    Caller(scope): Caller,
    PathEvaluator(id): PathEvaluator,
    body: Body,
) -> Result<Response> {
    let change = |draft| draft::changed(draft, &body);
    evaluators::update(&app, &scope, id, change).await?;
    let (evaluator, figures) = evaluators::show(&app, &scope, id).await?;
    Ok(Json(EvaluatorRow::new(&evaluator, &figures)).into_response())
}
