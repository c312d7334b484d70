//! `DELETE /api/public/models/{id}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, ProjectScope, models};

use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// Takes a model of the project off the list.
pub(crate) async fn delete_model(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    models::delete(&app, &scope, &id).await?;
    let message = "Model successfully deleted";
    Ok(Json(json!({ "message": message })).into_response())
}
