//! `GET /api/v1/protected-labels`

use axum::extract::State;
use axum::response::Response;
use service::{App, prompts};

use super::shape;
use crate::error::Result;
use crate::extract::Caller;

/// The protected labels.
pub(crate) async fn show_protected_labels(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    Ok(shape(&prompts::protected(&app, &scope).await?))
}
