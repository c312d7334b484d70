//! `GET /api/v1/alert-rules/prometheus`

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use service::App;
use service::alerts::rules;

use crate::error::Result;
use crate::extract::Caller;

/// Rules for Prometheus.
pub(crate) async fn export_alert_rules(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let file = rules::export(&app, &scope).await?;
    Ok(([(CONTENT_TYPE, "application/yaml")], file).into_response())
}
