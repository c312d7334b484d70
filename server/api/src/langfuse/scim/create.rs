//! `POST /api/public/scim/Users`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::tenancy::Role;
use service::{App, OrganisationScope, members};

use super::shape;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;

/// Adds a person to the organisation. They have no password: one that the body gives is passed over, for
/// whoever provisions people must not be able to sign in as them. Whoever is not `active` becomes no member.
pub(crate) async fn create_user(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    body: Body,
) -> Result<Response> {
    let email = body.required_text("userName")?;
    let formatted = body.value("name").map(|name| &name["formatted"]);
    let name = formatted.and_then(|name| name.as_str());
    let name = name.or(body.text("displayName")?);
    let role = shape::first_role(&body)?.unwrap_or(Role::None);
    let is_active = shape::activity(&body)?.unwrap_or(true);
    let member = match is_active {
        true => members::provision(&app, &scope, (email, name), role).await?,
        false => members::provision_off(&app, &scope, (email, name)).await?,
    };
    Ok((StatusCode::CREATED, Json(shape::user(&member, is_active))).into_response())
}
