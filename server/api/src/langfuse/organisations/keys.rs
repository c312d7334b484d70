//! `/api/public/organizations/apiKeys`, `/api/public/projects/{projectId}/apiKeys`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::tenancy::Role;
use serde_json::json;
use service::{App, OrganisationScope, api_keys, auth};

use super::shape::{KeyShape, NewKeyShape};
use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::path::{PathKey, PathProject};

/// The keys of the organisation itself.
pub(crate) async fn list_keys(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
) -> Result<Response> {
    let keys = api_keys::list_of_organisation(&app, &scope).await?;
    let keys: Vec<_> = keys.iter().map(KeyShape::from).collect();
    Ok(Json(json!({ "apiKeys": keys })).into_response())
}

/// The keys of a project.
pub(crate) async fn list_project_keys(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
) -> Result<Response> {
    let project = auth::enter_project_of(&app, &scope, id).await?;
    let keys = api_keys::list(&app, &project).await?;
    let keys: Vec<_> = keys.iter().map(KeyShape::from).collect();
    Ok(Json(json!({ "apiKeys": keys })).into_response())
}

/// Makes a key of a project, of parts of the caller's own where they are given.
pub(crate) async fn create_project_key(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
    body: Body,
) -> Result<Response> {
    let project = auth::enter_project_of(&app, &scope, id).await?;
    let note = body.text("note")?.unwrap_or_default();
    let made = match (body.text("publicKey")?, body.text("secretKey")?) {
        (None, None) => api_keys::create(&app, &project, note, Role::Member).await?,
        (Some(public), Some(secret)) => {
            api_keys::create_own(&app, &project, note, (public, secret)).await?
        }
        _ => {
            let message = "Give both publicKey and secretKey, or neither";
            return Err(Issue::new("custom", "publicKey", message).into());
        }
    };
    Ok((StatusCode::CREATED, Json(NewKeyShape::from(&made))).into_response())
}

/// Revokes a key of a project.
pub(crate) async fn delete_project_key(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
    PathKey(key): PathKey,
) -> Result<Response> {
    let project = auth::enter_project_of(&app, &scope, id).await?;
    api_keys::revoke(&app, &project, key).await?;
    Ok(Json(json!({ "success": true })).into_response())
}
