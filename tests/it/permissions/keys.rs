//! Keys, and the routes of programs.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::operations;
use tests::{Organisation, ProjectClient, Server, eventually, shared};

use super::{filled, lines, same_routes};

const TABLE: &str = include_str!("keys.txt");

/// Of receivers, which stand in no document of ours.
const RECEIVERS: [&str; 7] = [
    "/v1/traces",
    "/v1/logs",
    "/v1/metrics",
    "/api/public/otel/v1/traces",
    "/api/public/otel/v1/logs",
    "/api/public/otel/v1/metrics",
    "/api/v1/metrics/write",
];

/// A key of the organisation's project, as a body asks for it.
pub(super) async fn key(organisation: &Organisation, wanted: Value) -> ProjectClient {
    let project = organisation.project.project_id.as_ref().unwrap();
    let path = format!("/api/public/projects/{project}/apiKeys");
    let made = organisation
        .client
        .langfuse(Method::POST, &path, Some(&wanted))
        .await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let text = |field: &str| made.body[field].as_str().unwrap().to_owned();
    let server = shared().await;
    ProjectClient::new(server.http_url(), &text("publicKey"), &text("secretKey"))
}

/// A second from now.
fn soon() -> String {
    let soon = std::time::SystemTime::now() + std::time::Duration::from_millis(1200);
    let seconds = soon.duration_since(std::time::UNIX_EPOCH).unwrap();
    domain::Timestamp::from_unix_millis(i64::try_from(seconds.as_millis()).unwrap())
        .unwrap()
        .to_string()
}

/// A key that has ended.
pub(super) async fn ended(organisation: &Organisation) -> ProjectClient {
    let ended = key(organisation, json!({ "expiresAt": soon() })).await;
    assert_eq!(
        ended.get("/api/public/projects").await.status(),
        StatusCode::OK
    );
    eventually("the key ends", async || {
        match ended.get("/api/public/projects").await.status() {
            StatusCode::UNAUTHORIZED => Ok(()),
            other => Err(other.to_string()),
        }
    })
    .await;
    ended
}

async fn status(client: &ProjectClient, method: &str, path: &str) -> StatusCode {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let mut request = client.request(method.clone(), &filled(path));
    if method != Method::GET {
        request = request.json(&json!({}));
    }
    request.send().await.unwrap().status()
}

async fn routes(server: &Server) -> Vec<(String, String)> {
    let url = format!("{}/api/openapi.json", server.http_url());
    let document: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            routes.push((method.to_uppercase(), path.clone()));
        }
    }
    routes.extend(operations().into_iter().map(|one| (one.method, one.path)));
    routes.extend(RECEIVERS.map(|path| ("POST".to_owned(), path.to_owned())));
    routes
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_lets_in_the_keys_that_the_table_names_and_no_others() {
    let server = shared().await;
    let table = lines(TABLE);
    same_routes(&table, routes(server).await);
    let organisation = server.new_organisation();
    let project = organisation.project.project_id.clone().unwrap();
    let made = server.admin(&["create-key", "--project", &project, "--role", "admin"]);
    let text = |key: &str| made[key].as_str().unwrap().to_owned();
    let mut keys = vec![ProjectClient::new(
        server.http_url(),
        &text("public_key"),
        &text("secret_key"),
    )];
    for scope in ["ingest", "read", "scores", "prompts"] {
        keys.push(key(&organisation, json!({ "scopes": [scope] })).await);
    }
    let ended = ended(&organisation).await;
    let nobody = ProjectClient::new(server.http_url(), "pk-tx-nobody", "sk-tx-nobody");
    let mut wrong = Vec::new();
    for line in table.iter().filter(|line| line.cells != "missing") {
        let (method, path) = (line.method, line.path);
        for (who, client) in [("nobody", &nobody), ("ended", &ended)] {
            let status = status(client, method, path).await;
            if (status == StatusCode::UNAUTHORIZED) == (line.cells == "open") {
                wrong.push(format!("{method} {path}: {who}: {status}"));
            }
        }
        if line.cells == "open" {
            continue;
        }
        for (at, client) in keys.iter().enumerate() {
            let is_let_in = line.cells.as_bytes()[at] != b'-';
            let status = status(client, method, path).await;
            let is_refused = matches!(status.as_u16(), 401 | 403);
            if is_refused == is_let_in {
                wrong.push(format!("{method} {path}: {} {at}: {status}", line.cells));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
