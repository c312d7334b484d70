//! `POST /api/v1/legal-holds`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use service::App;
use service::deletions::holds;

use super::Shape;
use crate::error::Result;
use crate::extract::{Body, Caller};

/// Sets one.
pub(crate) async fn create_legal_hold(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["user_id", "reason"])?;
    let user = body.text("user_id")?.unwrap_or_default();
    let reason = body.text("reason")?.unwrap_or_default();
    let hold = holds::create(&app, &scope, (user, reason)).await?;
    Ok((StatusCode::CREATED, Json(Shape::from(&hold))).into_response())
}
