//! `/api/admin/organizations`, `/api/admin/organizations/{organizationId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, OperatorScope, auth, organisations};

use super::shape::{shape, with_projects};
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathOrganisation;
use crate::langfuse::projects::draft;

/// All of them.
pub(crate) async fn list_organisations(
    State(app): State<App>,
    Extension(operator): Extension<OperatorScope>,
) -> Result<Response> {
    let all = organisations::list(&app, &operator).await?;
    let all = all
        .iter()
        .map(|(described, projects)| shape(described, projects));
    Ok(Json(json!({ "organizations": all.collect::<Vec<_>>() })).into_response())
}

/// Makes one.
pub(crate) async fn create_organisation(
    State(app): State<App>,
    Extension(operator): Extension<OperatorScope>,
    body: Body,
) -> Result<Response> {
    let name = draft::name(&body)?;
    let metadata = body.object("metadata")?;
    let made = organisations::create(&app, &operator, name, metadata.as_deref()).await?;
    let shape = with_projects(&app, &operator, &made).await?;
    Ok((StatusCode::CREATED, Json(shape)).into_response())
}

/// One of them.
pub(crate) async fn show_organisation(
    State(app): State<App>,
    Extension(operator): Extension<OperatorScope>,
    PathOrganisation(id): PathOrganisation,
) -> Result<Response> {
    let scope = auth::operate_organisation(&app, &operator, id).await?;
    let found = organisations::show(&app, &scope).await?;
    Ok(Json(with_projects(&app, &operator, &found).await?).into_response())
}

/// Renames one.
pub(crate) async fn update_organisation(
    State(app): State<App>,
    Extension(operator): Extension<OperatorScope>,
    PathOrganisation(id): PathOrganisation,
    body: Body,
) -> Result<Response> {
    let scope = auth::operate_organisation(&app, &operator, id).await?;
    let name = draft::name(&body)?;
    let metadata = body.object("metadata")?;
    let metadata = body.given("metadata").map(|_| metadata.as_deref());
    let updated = organisations::update(&app, &operator, (&scope, name), metadata).await?;
    Ok(Json(with_projects(&app, &operator, &updated).await?).into_response())
}

/// Deletes one that has no projects.
pub(crate) async fn delete_organisation(
    State(app): State<App>,
    Extension(operator): Extension<OperatorScope>,
    PathOrganisation(id): PathOrganisation,
) -> Result<Response> {
    let scope = auth::operate_organisation(&app, &operator, id).await?;
    organisations::delete(&app, &operator, &scope).await?;
    Ok(Json(json!({ "success": true })).into_response())
}
