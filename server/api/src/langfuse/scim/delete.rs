//! `DELETE /api/public/scim/Users/{userId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::tenancy::Member;
use domain::{Code, Fault};
use serde_json::json;
use service::{App, OrganisationScope, members};

use super::shape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// Removes a member from the organisation.
pub(crate) async fn delete_user(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathId(id): PathId,
) -> Result<Response> {
    let member = shape::member(&app, &scope, &id).await?;
    remove(&app, &scope, &member).await?;
    Ok(Json(json!({})).into_response())
}

/// Removes one; that the last owner stays is forbidden here, not a conflict that may pass.
pub(super) async fn remove(app: &App, scope: &OrganisationScope, member: &Member) -> Result<()> {
    let removed = members::remove(app, scope, member.person.id).await;
    Ok(removed.map_err(last_owner)?)
}

/// The same for whoever would take the last owner's role.
pub(super) fn last_owner(fault: Fault) -> Fault {
    match fault.code {
        Code::Conflict => Fault::new(Code::Forbidden, fault.message.clone()),
        _ => fault,
    }
}
