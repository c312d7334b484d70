//! `GET /api/public/scim/Users/{userId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use service::{App, OrganisationScope};

use super::shape;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;

/// One member of the organisation.
pub(crate) async fn show_user(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathId(id): PathId,
) -> Result<Response> {
    let member = shape::member(&app, &scope, &id).await?;
    Ok(Json(shape::user(&member, true)).into_response())
}
