//! `GET /api/v1/deletion-settings`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, deletions};

use super::Shape;
use crate::error::Result;
use crate::extract::Caller;

/// Shows them.
pub(crate) async fn show_deletion_settings(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let settings = deletions::settings(&app, &scope).await?;
    Ok(Json(Shape::from(settings)).into_response())
}
