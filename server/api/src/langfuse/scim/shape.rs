//! A member as a SCIM user.

use domain::tenancy::{Member, Role};
use domain::{Fault, PersonId};
use serde_json::{Value, json};
use service::{App, OrganisationScope, members};

use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::organisations::shape::role;
use crate::langfuse::time::Millis;

/// The schema of a user.
pub(super) const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
/// The schema of a list.
pub(super) const LIST: &str = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/// A user, ready to be written.
pub(super) fn user(member: &Member, is_active: bool) -> Value {
    let person = &member.person;
    json!({
        "schemas": [USER],
        "id": person.id,
        "userName": person.email,
        "name": { "formatted": person.name },
        "displayName": person.name,
        "emails": [{ "primary": true, "value": person.email, "type": "work" }],
        "active": is_active,
        "roles": [member.role.as_str().to_uppercase()],
        "meta": {
            "resourceType": "User",
            "created": Millis(member.since),
            "lastModified": Millis(member.since),
        },
    })
}

/// The member of an id.
///
/// # Errors
/// `not_found` when the organisation has no such member.
pub(super) async fn member(app: &App, scope: &OrganisationScope, id: &str) -> Result<Member> {
    let id: PersonId = id.parse().map_err(|_| missing())?;
    let members = members::list(app, scope).await?;
    let found = members.into_iter().find(|member| member.person.id == id);
    Ok(found.ok_or_else(missing)?)
}

/// There is no such member.
pub(super) fn missing() -> Fault {
    Fault::not_found("User not found")
}

/// The first of the roles that a body gives: a text, or an object with a `value`.
///
/// # Errors
/// When it is no role.
pub(super) fn first_role(body: &Body) -> Result<Option<Role>> {
    let Some(first) = body.array("roles")?.first() else {
        return Ok(None);
    };
    let name = first.as_str().or_else(|| first["value"].as_str());
    let name = name.ok_or_else(|| Issue::of_type("roles.0", "string"))?;
    role("roles.0", name).map(Some)
}

/// Whether a body says that the user is active; `None` where it does not say.
///
/// # Errors
/// When it is neither yes nor no.
pub(super) fn activity(body: &Body) -> Result<Option<bool>> {
    let value = body.value("active");
    value.map(|value| flag("active", value)).transpose()
}

/// Some providers send `"True"` and `"False"`.
///
/// # Errors
/// When it is neither.
pub(super) fn flag(path: &str, value: &Value) -> Result<bool> {
    let text = value.as_str().map(str::to_lowercase);
    match (value.as_bool(), text.as_deref()) {
        (Some(flag), _) => Ok(flag),
        (None, Some("true")) => Ok(true),
        (None, Some("false")) => Ok(false),
        _ => Err(Issue::of_type(path, "boolean").into()),
    }
}
