//! `GET /api/v1/alert-settings`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::App;
use service::alerts::settings;

use crate::error::Result;
use crate::extract::Caller;

/// Time zone, numbers of baselines, delay.
pub(crate) async fn show_alert_settings(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    Ok(Json(settings::show(&app, &scope).await?).into_response())
}
