//! `PUT` and `PATCH /api/public/scim/Users/{userId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::tenancy::Role;
use domain::{Code, PersonId};
use serde_json::Value;
use service::{App, OrganisationScope, members};

use super::delete::{last_owner, remove};
use super::shape::{self, flag, missing};
use crate::langfuse::body::Body;
use crate::langfuse::error::{Failure, Issue, Result};
use crate::langfuse::path::PathId;

/// Most operations of a request.
const MOST: usize = 100;

/// Takes `active` and `roles` of what the provider says; e-mail and name stay, for they belong to the
/// person, who may be a member elsewhere too.
pub(crate) async fn replace_user(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathId(id): PathId,
    body: Body,
) -> Result<Response> {
    let role = shape::first_role(&body)?;
    let is_active = shape::activity(&body)?;
    change(&app, &scope, &id, (is_active, role)).await
}

/// Takes operations that replace `active`.
pub(crate) async fn patch_user(
    State(app): State<App>,
    Extension(scope): Extension<OrganisationScope>,
    PathId(id): PathId,
    body: Body,
) -> Result<Response> {
    let operations = body.array("Operations")?;
    if !(1..=MOST).contains(&operations.len()) {
        let message = format!("must have 1 to {MOST} elements");
        return Err(Issue::new("custom", "Operations", message).into());
    }
    let mut is_active = None;
    for (at, operation) in operations.iter().enumerate() {
        is_active = Some(activity(at, operation)?);
    }
    change(&app, &scope, &id, (is_active, None)).await
}

/// What an operation makes of `active`.
fn activity(at: usize, operation: &Value) -> Result<bool> {
    let is_replacing =
        operation["op"].as_str().map(str::to_lowercase).as_deref() == Some("replace");
    let value = match operation["path"].as_str() {
        None => &operation["value"]["active"],
        Some("active") => &operation["value"],
        Some(_) => &Value::Null,
    };
    if !is_replacing || value.is_null() {
        let path = format!("Operations.{at}");
        return Err(Issue::new("custom", &path, "only replacing active is supported").into());
    }
    flag(&format!("Operations.{at}.value.active"), value)
}

async fn change(
    app: &App,
    scope: &OrganisationScope,
    id: &str,
    (is_active, role): (Option<bool>, Option<Role>),
) -> Result<Response> {
    let found = match shape::member(app, scope, id).await {
        Ok(member) => Some(member),
        Err(failure) if failure.code() == Some(Code::NotFound) => None,
        Err(failure) => return Err(failure),
    };
    if is_active == Some(false) {
        let member = found.ok_or_else(missing)?;
        remove(app, scope, &member).await?;
        return Ok(Json(shape::user(&member, false)).into_response());
    }
    let person: PersonId = id.parse().map_err(|_| missing())?;
    let member = match (found, role) {
        (Some(member), None) => member,
        (Some(_), Some(role)) => {
            let set = members::set(app, scope, person, role).await;
            set.map_err(last_owner)?
        }
        // Whoever was removed may come back.
        (None, role) if is_active == Some(true) => {
            let set = members::set(app, scope, person, role.unwrap_or(Role::None)).await;
            set.map_err(|fault| match fault.code {
                Code::NotFound => missing(),
                _ => fault,
            })?
        }
        (None, _) => return Err(Failure::from(missing())),
    };
    Ok(Json(shape::user(&member, true)).into_response())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn operations_of_several_providers_come_to_the_same() {
        for right in [
            json!({ "op": "replace", "value": { "active": false } }),
            json!({ "op": "Replace", "path": "active", "value": "False" }),
            json!({ "op": "replace", "path": "active", "value": false }),
        ] {
            assert!(!activity(0, &right).unwrap(), "{right}");
        }
        for wrong in [
            json!({ "op": "add", "value": { "active": false } }),
            json!({ "op": "replace", "value": { "userName": "x" } }),
            json!({ "op": "replace", "path": "userName", "value": "x" }),
            json!({ "op": "replace", "path": "active", "value": 0 }),
            json!("replace"),
        ] {
            assert!(activity(0, &wrong).is_err(), "{wrong}");
        }
    }
}
