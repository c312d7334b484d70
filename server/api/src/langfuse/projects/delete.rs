//! `DELETE /api/public/projects/{projectId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, OrganisationScope, auth, projects};

use crate::langfuse::error::Result;
use crate::langfuse::path::PathProject;

/// Deletes a project: its keys at once, its telemetry in the background.
pub(crate) async fn delete_project(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
) -> Result<Response> {
    let project = auth::enter_project_of(&app, &scope, id).await?;
    projects::remove(&app, &project).await?;
    let message = "Project deletion has been initiated and is being processed asynchronously";
    let done = json!({ "success": true, "message": message });
    Ok((StatusCode::ACCEPTED, Json(done)).into_response())
}
