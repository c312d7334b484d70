//! `PUT /api/v1/masking`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, masking};

use super::Shape;
use crate::error::Result;
use crate::extract::{Body, Caller};

/// Sets the rules: all of them.
pub(crate) async fn set_masking(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let settings = super::settings(body.into_fields())?;
    masking::set(&app, &scope, &settings).await?;
    let counts = masking::counts(&app, &scope).await?;
    Ok(Json(Shape::new(&settings, &counts)).into_response())
}
