//! `GET /api/public/organizations/projects`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, OrganisationScope, projects};

use super::shape::OrganisationProjectShape;
use crate::langfuse::error::Result;

/// The projects of the key's organisation.
pub(crate) async fn list_projects(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
) -> Result<Response> {
    let projects = projects::of_organisation(&app, &scope).await?;
    let projects: Vec<_> = projects
        .iter()
        .map(OrganisationProjectShape::from)
        .collect();
    Ok(Json(json!({ "projects": projects })).into_response())
}
