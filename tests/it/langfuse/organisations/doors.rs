//! Which key opens which route, in the words of each family; and that a foreign organisation finds nothing.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::operations;
use tests::{Organisation, ProjectClient, shared};

use super::{ask, done, provision};
use crate::langfuse::blob_storage::described;

/// Whether an operation takes a key of an organisation.
pub(in crate::langfuse) fn is_of_organisations(method: &str, path: &str) -> bool {
    path.starts_with("/api/public/organizations/")
        || path.starts_with("/api/public/scim/")
        || path.starts_with("/api/public/projects/")
        || path.starts_with("/api/public/integrations/")
        || (method, path) == ("POST", "/api/public/projects")
}

fn is_of_the_operator(path: &str) -> bool {
    path.starts_with("/api/admin/")
}

fn method(name: &str) -> Method {
    Method::from_bytes(name.as_bytes()).unwrap()
}

/// The text of a failure, in whatever words its family has.
fn told(path: &str, body: &Value) -> bool {
    if path.contains("/scim/") {
        body["schemas"][0] == "urn:ietf:params:scim:api:messages:2.0:Error"
            && body["detail"].is_string()
            && body["status"].is_u64()
    } else if path.contains("/integrations/") {
        body["message"].is_string()
    } else if path.starts_with("/api/public/projects")
        && !path.contains("Keys")
        && !path.contains("memb")
    {
        body["message"].is_string() && body["error"].is_null()
    } else {
        body["error"].is_string() && body["message"].is_null()
    }
}

async fn status_of(client: &ProjectClient, name: &str, path: &str) -> StatusCode {
    let answer = client.langfuse(method(name), path, None).await;
    assert!(told(path, &answer.body), "{name} {path}: {}", answer.body);
    answer.status
}

#[tokio::test]
async fn each_route_takes_its_own_kind_of_key_and_no_other() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let nobody = ProjectClient::new(server.http_url(), "pk-tx-nobody", "sk-tx-nobody");
    let (mut of_organisations, mut of_the_operator) = (0, 0);
    for operation in operations() {
        let (name, path) = (operation.method.as_str(), operation.path.as_str());
        if is_of_organisations(name, path) {
            of_organisations += 1;
            let status = status_of(&organisation.project, name, path).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{name} {path}");
            let status = status_of(&nobody, name, path).await;
            assert_eq!(status, StatusCode::UNAUTHORIZED, "{name} {path}");
        } else if is_of_the_operator(path) {
            of_the_operator += 1;
            for client in [&organisation.project, &organisation.client, &nobody] {
                let status = status_of(client, name, path).await;
                assert_eq!(status, StatusCode::UNAUTHORIZED, "{name} {path}");
            }
        } else if path.starts_with("/api/public/")
            && !path.contains("/otel/")
            && !path.contains("/ingestion")
        {
            let answer = organisation.client.langfuse(method(name), path, None).await;
            let status = answer.status;
            // Health is for everybody; the rest is refused, or not served at all.
            let is_open = path.ends_with("/health") && status == StatusCode::OK;
            let is_absent = answer.body["error"].is_null() && status == StatusCode::NOT_FOUND
                || status == StatusCode::METHOD_NOT_ALLOWED;
            assert!(
                is_open || is_absent || status == StatusCode::FORBIDDEN,
                "{name} {path}: {status}"
            );
        }
    }
    assert!(of_organisations >= 20, "{of_organisations}");
    assert!(of_the_operator >= 8, "{of_the_operator}");
    // The other doors of a project.
    for path in ["/api/v1/traces", "/v1/traces", "/api/public/ingestion"] {
        let method = if path.contains("/api/v1") {
            Method::GET
        } else {
            Method::POST
        };
        let request = organisation.client.request(method, path);
        let request = request
            .header("content-type", "application/json")
            .body("{}");
        let status = request.send().await.unwrap().status();
        assert_eq!(status, StatusCode::FORBIDDEN, "{path}");
    }
}

#[tokio::test]
async fn the_public_part_of_an_organisations_key_opens_nothing() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let url = format!("{}/api/public/organizations/projects", server.http_url());
    let request = reqwest::Client::new().get(url);
    let request = request.bearer_auth(&organisation.client.public_key);
    assert_eq!(
        request.send().await.unwrap().status(),
        StatusCode::FORBIDDEN
    );
    let scores = format!("{}/api/public/scores", server.http_url());
    let request = reqwest::Client::new().post(scores);
    let request = request
        .bearer_auth(&organisation.client.public_key)
        .json(&json!({ "name": "n", "value": 1, "traceId": "t" }));
    assert_eq!(
        request.send().await.unwrap().status(),
        StatusCode::FORBIDDEN
    );
}

/// Sets an export of its project, which has nothing to do for a while; what was said of it.
async fn exported(organisation: &Organisation) -> Value {
    let mut export = described(&organisation.project, "https://store.example.com");
    export["exportMode"] = json!("FROM_TODAY");
    export["exportFrequency"] = json!("weekly");
    let set = (Method::PUT, EXPORTS);
    done(&organisation.client, set, Some(&export), StatusCode::OK).await;
    export
}

/// Where exports are set, below `/api/public`.
const EXPORTS: &str = "/integrations/blob-storage";

#[tokio::test]
async fn another_organisations_key_finds_nothing_and_changes_nothing() {
    let server = shared().await;
    let (victim, stranger) = (server.new_organisation(), server.new_organisation());
    let project = victim.project.project_id.clone().unwrap();
    let (person, email) = provision(&victim.client, "victim", "MEMBER").await;
    let export = exported(&victim).await;
    let state = async || {
        let mut state = Vec::new();
        for path in [
            "/organizations/projects".to_owned(),
            "/organizations/memberships".to_owned(),
            "/organizations/apiKeys".to_owned(),
            format!("/projects/{project}/apiKeys"),
            format!("/projects/{project}/memberships"),
            EXPORTS.to_owned(),
        ] {
            let mut body = done(&victim.client, (Method::GET, &path), None, StatusCode::OK).await;
            // It is noted in the background.
            for key in body["apiKeys"].as_array_mut().into_iter().flatten() {
                key["lastUsedAt"] = Value::Null;
            }
            state.push(body);
        }
        state
    };
    let before = state().await;
    let key = before[3]["apiKeys"][0]["id"].as_str().unwrap().to_owned();
    for operation in operations() {
        let (name, path) = (operation.method.as_str(), operation.path.as_str());
        if !is_of_organisations(name, path) {
            continue;
        }
        let is_of_a_thing = path.contains('{');
        let path = path
            .replace("{projectId}", &project)
            .replace("{apiKeyId}", &key)
            .replace("{userId}", &person)
            .replace("{id}", &project);
        let body = json!({
            "name": "taken over",
            "retention": 0,
            "userName": email,
            "userId": person,
            "role": "OWNER",
        });
        if !is_of_a_thing && name != "GET" {
            // These make what is of the stranger's own.
            continue;
        }
        let answer = stranger
            .client
            .langfuse(method(name), &path, Some(&body))
            .await;
        if is_of_a_thing {
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{name} {path}");
            assert!(told(&path, &answer.body), "{name} {path}: {}", answer.body);
        } else {
            assert_eq!(answer.status, StatusCode::OK, "{name} {path}");
        }
        let shown = answer.body.to_string();
        assert!(!shown.contains(&email), "{name} {path}: {shown}");
        assert!(!shown.contains("AKIAEXPORTS"), "{name} {path}: {shown}");
    }
    let taken = ask(&stranger.client, Method::PUT, EXPORTS, Some(&export)).await;
    assert_eq!(taken.status, StatusCode::NOT_FOUND);
    for undocumented in [Method::PUT, Method::PATCH] {
        let path = format!("/scim/Users/{person}");
        let body = json!({
            "active": false,
            "Operations": [{ "op": "replace", "value": { "active": false } }],
        });
        let answer = ask(&stranger.client, undocumented, &path, Some(&body)).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(state().await, before);
    // A second key of the same organisation finds it all.
    let admin = server.new_organisation_key(&victim.id, "admin");
    let path = format!("/projects/{project}/apiKeys");
    done(&admin, (Method::GET, &path), None, StatusCode::OK).await;
}
