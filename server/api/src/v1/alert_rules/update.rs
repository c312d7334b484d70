//! `PATCH /api/v1/alert-rules/{alert_rule_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::App;
use service::alerts::rules;

use super::given;
use crate::error::Result;
use crate::extract::{Body, Caller, PathAlertRule};
use crate::shape::RuleRow;

/// Changes a rule.
pub(crate) async fn update_alert_rule(
    State(app): State<App>,
    Caller(scope): Caller,
    PathAlertRule(id): PathAlertRule,
    body: Body,
) -> Result<Response> {
    let rule = rules::update(&app, &scope, id, given(&body)?).await?;
    Ok(Json(RuleRow::from(&rule)).into_response())
}
