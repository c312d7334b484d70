//! What identity providers ask first: `ServiceProviderConfig`, `ResourceTypes`, `Schemas`.

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use service::{App, OrganisationScope};

use super::list::MOST;
use super::shape::{LIST, USER};

const CONFIG: &str = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig";
const RESOURCE_TYPE: &str = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";

/// What is supported.
pub(crate) async fn show_config(
    State(app): State<App>,
    Extension(_): Extension<OrganisationScope>,
) -> Response {
    let config = json!({
        "schemas": [CONFIG],
        "documentationUri": "https://datatracker.ietf.org/doc/html/rfc7644",
        "patch": { "supported": true },
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": true, "maxResults": MOST },
        "changePassword": { "supported": false },
        "sort": { "supported": false },
        "etag": { "supported": false },
        "authenticationSchemes": [{
            "type": "httpbasic",
            "name": "HTTP Basic",
            "description": "Public and secret key of the organisation",
            "specUri": "https://datatracker.ietf.org/doc/html/rfc7617",
            "primary": true,
        }],
        "meta": meta(&app, "ServiceProviderConfig", "ServiceProviderConfig"),
    });
    Json(config).into_response()
}

/// The one type of resource.
pub(crate) async fn list_resource_types(
    State(app): State<App>,
    Extension(_): Extension<OrganisationScope>,
) -> Response {
    list(&json!({
        "schemas": [RESOURCE_TYPE],
        "id": "User",
        "name": "User",
        "endpoint": "/Users",
        "description": "A member of the organisation",
        "schema": USER,
        "schemaExtensions": [],
        "meta": meta(&app, "ResourceType", "ResourceTypes/User"),
    }))
}

/// Its schema.
pub(crate) async fn list_schemas(
    State(app): State<App>,
    Extension(_): Extension<OrganisationScope>,
) -> Response {
    let name = [attribute("formatted", "string", "readWrite")];
    let emails = ["value", "type"].map(|field| attribute(field, "string", "readOnly"));
    let user_name = attribute("userName", "string", "immutable");
    list(&json!({
        "id": USER,
        "name": "User",
        "description": "A member of the organisation",
        "attributes": [
            with(user_name, &[("required", json!(true)), ("uniqueness", json!("server"))]),
            with(attribute("name", "complex", "immutable"), &[("subAttributes", json!(name))]),
            with(
                attribute("emails", "complex", "readOnly"),
                &[("multiValued", json!(true)), ("subAttributes", json!(emails))],
            ),
            attribute("displayName", "string", "immutable"),
            attribute("active", "boolean", "readWrite"),
            with(
                attribute("roles", "string", "readWrite"),
                &[
                    ("multiValued", json!(true)),
                    ("canonicalValues", json!(["OWNER", "ADMIN", "MEMBER", "VIEWER", "ANNOTATOR", "AUDITOR", "NONE"])),
                ],
            ),
        ],
        "meta": meta(&app, "Schema", &format!("Schemas/{USER}")),
    }))
}

fn attribute(name: &str, kind: &str, mutability: &str) -> Value {
    json!({
        "name": name,
        "type": kind,
        "multiValued": false,
        "required": false,
        "caseExact": false,
        "mutability": mutability,
        "returned": "default",
        "uniqueness": "none",
    })
}

fn with(mut attribute: Value, more: &[(&str, Value)]) -> Value {
    for (name, value) in more {
        attribute[name] = value.clone();
    }
    attribute
}

fn meta(app: &App, kind: &str, path: &str) -> Value {
    let url = &app.settings().public_url;
    json!({ "resourceType": kind, "location": format!("{url}/api/public/scim/{path}") })
}

fn list(resource: &Value) -> Response {
    let list = json!({ "schemas": [LIST], "totalResults": 1, "Resources": [resource] });
    Json(list).into_response()
}
