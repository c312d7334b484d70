//! `POST /api/v1/alert-rules`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use service::App;
use service::alerts::rules;

use super::given;
use crate::error::Result;
use crate::extract::{Body, Caller};
use crate::shape::RuleRow;

/// Makes a rule.
pub(crate) async fn create_alert_rule(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let rule = rules::create(&app, &scope, given(&body)?).await?;
    Ok((StatusCode::CREATED, Json(RuleRow::from(&rule))).into_response())
}
