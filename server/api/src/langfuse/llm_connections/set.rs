//! `PUT /api/public/llm-connections`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use service::{App, ProjectScope, llm_connections};

use super::draft;
use super::shape::LlmConnectionShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Sets the connection of the provider that the body names.
pub(crate) async fn set_llm_connection(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let draft = draft::read(&body)?;
    let (connection, is_new) = llm_connections::set(&app, &scope, draft).await?;
    let status = if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Ok((status, Json(LlmConnectionShape::from(&connection))).into_response())
}
