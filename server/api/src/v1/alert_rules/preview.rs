//! `POST /api/v1/alert-rules/preview`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use service::App;
use service::alerts::trial;

use super::given;
use crate::error::Result;
use crate::extract::{Body, Caller};
use crate::shape::{RuleRow, told};

/// When a rule would have fired within the last seven days; nothing is kept.
pub(crate) async fn preview_alert_rule(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let preview = trial::preview(&app, &scope, given(&body)?).await?;
    let mut rule = json!(RuleRow::from(&preview.rule));
    if let Some(fields) = rule.as_object_mut() {
        fields.retain(|name, _| !["id", "created_at", "updated_at"].contains(&name.as_str()));
    }
    let incidents: Vec<Value> = preview.told.iter().map(told).collect();
    let body = json!({
        "rule": rule,
        "from": preview.from.to_string(),
        "to": preview.to.to_string(),
        "fired": preview.fired,
        "incidents": incidents,
    });
    Ok(Json(body).into_response())
}
