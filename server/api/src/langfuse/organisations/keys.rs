//! `/api/public/organizations/apiKeys`, `/api/public/projects/{projectId}/apiKeys`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Timestamp;
use domain::tenancy::{KeyScope, KeyScopes, Role};
use serde_json::json;
use service::api_keys::KeyDraft;
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
    let draft = draft(&body)?;
    let made = match (body.text("publicKey")?, body.text("secretKey")?) {
        (None, None) => api_keys::create(&app, &project, &draft).await?,
        (Some(public), Some(secret)) => {
            api_keys::create_own(&app, &project, &draft, (public, secret)).await?
        }
        _ => {
            let message = "Give both publicKey and secretKey, or neither";
            return Err(Issue::new("custom", "publicKey", message).into());
        }
    };
    Ok((StatusCode::CREATED, Json(NewKeyShape::from(&made))).into_response())
}

/// What is wanted of a key; `scopes` and `expiresAt` are beyond what Langfuse takes.
fn draft(body: &Body) -> Result<KeyDraft<'_>> {
    let note = body.text("note")?.unwrap_or_default();
    let mut scopes = Vec::new();
    for (at, name) in body.texts("scopes")?.unwrap_or_default().iter().enumerate() {
        let words: Vec<&str> = KeyScope::ALL.iter().map(|scope| scope.as_str()).collect();
        let wrong = || Issue::of_words(&format!("scopes.{at}"), &words);
        scopes.push(KeyScope::from_name(name).ok_or_else(wrong)?);
    }
    let wrong = |_| Issue::new("invalid_format", "expiresAt", "Invalid ISO datetime");
    let expires_at = body.text("expiresAt")?.map(Timestamp::parse);
    Ok(KeyDraft {
        scopes: KeyScopes::new(scopes),
        expires_at: expires_at.transpose().map_err(wrong)?,
        ..KeyDraft::new(note, Role::Member)
    })
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
