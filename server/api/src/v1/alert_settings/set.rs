//! `PUT /api/v1/alert-settings`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::App;
use service::alerts::settings;

use crate::error::Result;
use crate::extract::{Body, Caller};

/// Sets those that are given.
pub(crate) async fn set_alert_settings(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let settings = settings::set(&app, &scope, body.fields()).await?;
    Ok(Json(settings).into_response())
}
