//! `DELETE /api/v1/alert-rules/{alert_rule_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::App;
use service::alerts::rules;

use crate::error::Result;
use crate::extract::{Caller, PathAlertRule};

/// Deletes a rule.
pub(crate) async fn delete_alert_rule(
    State(app): State<App>,
    Caller(scope): Caller,
    PathAlertRule(id): PathAlertRule,
) -> Result<StatusCode> {
    rules::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
