//! `POST /api/v1/evaluators/{evaluator_id}/backfill`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use service::{App, evaluators};

use crate::error::Result;
use crate::extract::{Body, Caller, PathEvaluator, wrong};
use crate::shape::EvaluatorRow;

/// Has an evaluator score what ended before.
pub(crate) async fn backfill_evaluator(
    State(app): State<App>,
    Caller(scope): Caller,
    PathEvaluator(id): PathEvaluator,
    body: Body,
) -> Result<Response> {
    body.only(&["from", "to"])?;
    let time = |field| match body.time(field)?.flatten() {
        Some(time) => Ok(time),
        None => Err(wrong(field, "give a time such as 2026-01-05T00:00:00Z")),
    };
    let stretch = (time("from")?, time("to")?);
    evaluators::look_back(&app, &scope, id, stretch).await?;
    let (evaluator, figures) = evaluators::show(&app, &scope, id).await?;
    let row = EvaluatorRow::new(&evaluator, &figures);
    Ok((StatusCode::ACCEPTED, Json(row)).into_response())
}
