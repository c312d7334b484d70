//! `DELETE /api/public/integrations/blob-storage/{id}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, OrganisationScope, blob_storage};

use super::show::project_of;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathProject;

/// Deletes the export of a project with its credential.
pub(crate) async fn delete_blob_storage(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
) -> Result<Response> {
    let project = project_of(&app, &scope, id).await?;
    blob_storage::delete(&app, &project).await?;
    let done = json!({ "message": "Blob storage integration successfully deleted" });
    Ok(Json(done).into_response())
}
