//! `GET /api/public/projects`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, ProjectScope, projects};

use super::shape::ProjectShape;
use crate::langfuse::error::Result;

/// The one project that the key opens.
pub(crate) async fn list_projects(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
) -> Result<Response> {
    let project = projects::show(&app, &scope).await?;
    Ok(Json(json!({ "data": [ProjectShape::from(&project)] })).into_response())
}
