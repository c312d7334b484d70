//! `DELETE /api/public/scores/{scoreId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, ProjectScope, scores};

use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// Deletes a score, whether there is one or not.
pub(crate) async fn delete_score(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    scores::delete(&app, &scope, &id).await?;
    let body = json!({ "message": "Score deleted" });
    Ok((StatusCode::ACCEPTED, Json(body)).into_response())
}
