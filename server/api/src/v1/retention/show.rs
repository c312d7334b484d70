//! `GET /api/v1/retention`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, retention};

use super::Shape;
use crate::error::Result;
use crate::extract::Caller;

/// Shows what is kept how long, and what the last look for older things found.
pub(crate) async fn show_retention(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let settings = retention::settings(&app, &scope).await?;
    let last = retention::last_look(&app, &scope).await?;
    Ok(Json(Shape::new(&settings, &last)).into_response())
}
