//! `/api/public/organizations/memberships`, `/api/public/projects/{projectId}/memberships`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::tenancy::Member;
use domain::{Code, Fault, PersonId};
use serde_json::json;
use service::{App, OrganisationScope, auth, members};

use super::shape::{MembershipShape, role};
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathProject;

/// The members of the organisation.
pub(crate) async fn list_memberships(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
) -> Result<Response> {
    Ok(list(&members::list(&app, &scope).await?))
}

/// Gives a person a role in the organisation.
pub(crate) async fn set_membership(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    body: Body,
) -> Result<Response> {
    let wanted = role("role", body.required_text("role")?)?;
    let person = person(&body)?.ok_or_else(unknown)?;
    let member = members::set(&app, &scope, person, wanted).await?;
    Ok(Json(MembershipShape::from(&member)).into_response())
}

/// Removes a person from the organisation; who is no member is removed already.
pub(crate) async fn delete_membership(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    body: Body,
) -> Result<Response> {
    if let Some(person) = person(&body)? {
        match members::remove(&app, &scope, person).await {
            Err(fault) if fault.code != Code::NotFound => return Err(fault.into()),
            _ => {}
        }
    }
    removed(&body)
}

/// Those who have a role of their own in a project.
pub(crate) async fn list_project_memberships(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
) -> Result<Response> {
    let project = auth::enter_project_of(&app, &scope, id).await?;
    Ok(list(&members::list_of_project(&app, &project).await?))
}

/// Gives a member of the organisation a role of their own in a project.
pub(crate) async fn set_project_membership(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
    body: Body,
) -> Result<Response> {
    let project = auth::enter_project_of(&app, &scope, id).await?;
    let wanted = role("role", body.required_text("role")?)?;
    let person = person(&body)?.ok_or_else(unknown)?;
    let member = members::set_in_project(&app, &project, person, wanted).await?;
    Ok(Json(MembershipShape::from(&member)).into_response())
}

/// Takes a role of one's own in a project away.
pub(crate) async fn delete_project_membership(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathProject(id): PathProject,
    body: Body,
) -> Result<Response> {
    let project = auth::enter_project_of(&app, &scope, id).await?;
    if let Some(person) = person(&body)? {
        members::remove_from_project(&app, &project, person).await?;
    }
    removed(&body)
}

fn list(members: &[Member]) -> Response {
    let memberships: Vec<_> = members.iter().map(MembershipShape::from).collect();
    Json(json!({ "memberships": memberships })).into_response()
}

/// Whom the body names; what is no id is the id of nobody.
fn person(body: &Body) -> Result<Option<PersonId>> {
    Ok(body.required_text("userId")?.parse().ok())
}

fn unknown() -> Fault {
    Fault::not_found("User not found")
}

fn removed(body: &Body) -> Result<Response> {
    let user_id = body.required_text("userId")?;
    let message = "Successfully removed user membership";
    Ok(Json(json!({ "message": message, "userId": user_id })).into_response())
}
