//! `DELETE /api/public/llm-connections/{id}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use serde_json::json;
use service::{App, ProjectScope, llm_connections};

use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// Deletes a connection with its credentials.
pub(crate) async fn delete_llm_connection(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    // What is no id is the id of nothing.
    let missing = |_| Fault::not_found("LLM connection not found");
    let id = id.parse().map_err(missing)?;
    llm_connections::delete(&app, &scope, id).await?;
    let done = json!({ "message": "LLM connection successfully deleted" });
    Ok(Json(done).into_response())
}
