//! `GET /api/v1/alert-rules`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::App;
use service::alerts::rules;

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::RuleRow;

/// Rules with where their groups stand, the oldest first: few enough for one page.
pub(crate) async fn list_alert_rules(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let listed = rules::list(&app, &scope).await?;
    let row = |rule| RuleRow::from(rule);
    let rows: Vec<RuleRow<'_>> = listed
        .rules
        .iter()
        .map(|rule| row(rule).with_groups(listed.states.get(&rule.id)))
        .collect();
    let until = listed.standing.evaluated_until.map(|at| at.to_string());
    let body = json!({
        "data": rows,
        "next_cursor": null,
        "evaluated_until": until,
        "last_error": listed.standing.last_error,
    });
    Ok(Json(body).into_response())
}
