//! `/api/admin/organizations/{organizationId}/apiKeys`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::tenancy::Role;
use serde_json::json;
use service::{App, OperatorScope, api_keys, auth};

use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::organisations::shape::{KeyShape, NewKeyShape};
use crate::langfuse::path::{PathKey, PathOrganisation};

/// The keys of an organisation.
pub(crate) async fn list_keys(
    State(app): State<App>,
    Extension(operator): Extension<OperatorScope>,
    PathOrganisation(id): PathOrganisation,
) -> Result<Response> {
    let scope = auth::operate_organisation(&app, &operator, id).await?;
    let keys = api_keys::list_of_organisation(&app, &scope).await?;
    let keys: Vec<_> = keys.iter().map(KeyShape::from).collect();
    Ok(Json(json!({ "apiKeys": keys })).into_response())
}

/// Makes a key of an organisation, which may do everything there.
pub(crate) async fn create_key(
    State(app): State<App>,
    Extension(operator): Extension<OperatorScope>,
    PathOrganisation(id): PathOrganisation,
    body: Body,
) -> Result<Response> {
    let scope = auth::operate_organisation(&app, &operator, id).await?;
    let note = body.text("note")?.unwrap_or_default();
    let made = api_keys::create_for_organisation(&app, &scope, note, Role::Owner).await?;
    Ok((StatusCode::CREATED, Json(NewKeyShape::from(&made))).into_response())
}

/// Revokes a key of an organisation.
pub(crate) async fn delete_key(
    State(app): State<App>,
    Extension(operator): Extension<OperatorScope>,
    PathOrganisation(id): PathOrganisation,
    PathKey(key): PathKey,
) -> Result<Response> {
    let scope = auth::operate_organisation(&app, &operator, id).await?;
    api_keys::revoke_of_organisation(&app, &scope, key).await?;
    Ok(Json(json!({ "success": true })).into_response())
}
