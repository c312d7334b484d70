//! `POST /api/public/projects`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use service::{App, OrganisationScope, projects};

use super::draft;
use super::shape::ProjectShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Makes a project in the organisation of the key.
pub(crate) async fn create_project(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    body: Body,
) -> Result<Response> {
    let name = draft::name(&body)?;
    let description = draft::description(&body, None)?;
    let made = projects::create(&app, &scope, name, description).await?;
    Ok((StatusCode::CREATED, Json(ProjectShape::from(&made))).into_response())
}
