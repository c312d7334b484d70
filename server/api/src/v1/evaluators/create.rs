//! `POST /api/v1/evaluators`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::evaluator::Figures;
use service::{App, evaluators};

use super::draft;
use crate::error::Result;
use crate::extract::{Body, Caller};
use crate::shape::EvaluatorRow;

/// Makes an evaluator.
pub(crate) async fn create_evaluator(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let draft = draft::new(&body)?;
    let evaluator = evaluators::create(&app, &scope, draft).await?;
    let nothing = Figures::default();
    let row = EvaluatorRow::new(&evaluator, &nothing);
    Ok((StatusCode::CREATED, Json(row)).into_response())
}
