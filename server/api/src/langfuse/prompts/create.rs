//! `POST /api/public/v2/prompts`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, prompts};

use super::draft;
use super::shape::PromptShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Makes the next version of a name.
pub(crate) async fn create_prompt(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let draft = draft::read(&body)?;
    let prompt = prompts::create(&app, &scope, draft).await?;
    Ok((StatusCode::CREATED, Json(PromptShape::from(&prompt))).into_response())
}
