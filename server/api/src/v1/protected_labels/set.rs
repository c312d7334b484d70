//! `PUT /api/v1/protected-labels`

use axum::extract::State;
use axum::response::Response;
use domain::prompt::Labels;
use service::{App, prompts};

use super::shape;
use crate::error::Result;
use crate::extract::{Body, Caller, wrong};

/// Protects these labels and no others.
pub(crate) async fn set_protected_labels(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["labels"])?;
    let texts = body.given_texts("labels")?;
    let texts = texts.ok_or_else(|| wrong("labels", "give a list of labels"))?;
    let labels = Labels::parse_moved("labels", &texts)?;
    Ok(shape(&prompts::set_protected(&app, &scope, &labels).await?))
}
