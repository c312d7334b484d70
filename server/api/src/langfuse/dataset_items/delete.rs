//! `DELETE /api/public/dataset-items/{id}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, ProjectScope, datasets};

use super::existing_id;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// Deletes an item; it stays in what its dataset was before.
pub(crate) async fn delete_dataset_item(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    datasets::delete_item(&app, &scope, &existing_id(&id)?).await?;
    let message = "Dataset item successfully deleted";
    Ok(Json(json!({ "message": message })).into_response())
}
