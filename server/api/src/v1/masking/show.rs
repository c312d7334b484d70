//! `GET /api/v1/masking`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, masking};

use super::Shape;
use crate::error::Result;
use crate::extract::Caller;

/// Shows the rules, and how often they found something.
pub(crate) async fn show_masking(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let settings = masking::settings(&app, &scope).await?;
    let counts = masking::counts(&app, &scope).await?;
    Ok(Json(Shape::new(&settings, &counts)).into_response())
}
