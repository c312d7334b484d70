//! `GET /api/public/integrations/blob-storage/{id}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::{Code, Fault, ProjectId};
use service::{App, OrganisationScope, ProjectScope, auth, blob_storage};

use super::shape::StatusShape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathProject;

/// How the export of a project stands. Its id is that of the project.
pub(crate) async fn show_blob_storage(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
) -> Result<Response> {
    let project = project_of(&app, &scope, id).await?;
    let export = blob_storage::show(&app, &project).await?;
    let status = StatusShape::new(&export, app.clock().now());
    Ok(Json(status).into_response())
}

/// A project of the organisation; of another one nothing is told.
pub(super) async fn project_of(
    app: &App,
    scope: &OrganisationScope,
    id: ProjectId,
) -> Result<ProjectScope> {
    let entered = auth::enter_project_of(app, scope, id).await;
    Ok(entered.map_err(|fault| match fault.code {
        Code::NotFound => Fault::not_found("Blob storage integration or project not found"),
        _ => fault,
    })?)
}
