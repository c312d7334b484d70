//! `PUT /api/public/projects/{projectId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, OrganisationScope, auth, projects};

use super::draft;
use super::shape::ProjectShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathProject;

/// Renames a project, and describes it anew.
pub(crate) async fn update_project(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
    body: Body,
) -> Result<Response> {
    let project = auth::enter_project_of(&app, &scope, id).await?;
    let known = projects::show(&app, &project).await?;
    let name = draft::name(&body)?;
    let description = draft::description(&body, Some(known.description))?;
    projects::update(&app, &project, name, Some(&description)).await?;
    let shown = projects::show(&app, &project).await?;
    Ok(Json(ProjectShape::from(&shown)).into_response())
}
