//! Users of the application who are forgotten.

mod asked;
mod evaluated;
pub(crate) mod everywhere;
mod late;
mod restarted;
mod shared_traces;

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::SpanBuilder;
use tests::{ProjectClient, Server, eventually_within};

/// A project with a member's key, and an admin's key of the same project.
pub(crate) fn project(server: &Server) -> (ProjectClient, ProjectClient) {
    let member = server.new_project();
    let id = member.project_id.clone().unwrap();
    let made = server.admin(&["create-key", "--role", "admin", "--project", &id]);
    let text = |key: &str| made[key].as_str().unwrap().to_owned();
    let admin = ProjectClient::new(server.http_url(), &text("public_key"), &text("secret_key"));
    (member, admin)
}

async fn send(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let mut request = client.request(method, path);
    if !body.is_null() {
        request = request.body(body.to_string());
    }
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(json!(text)))
}

/// Asks for a user to be forgotten; the id of the deletion.
pub(crate) async fn ask(admin: &ProjectClient, user: &str) -> String {
    let path = format!("/api/v1/users/{user}");
    let (status, asked) = send(admin, Method::DELETE, &path, &Value::Null).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{asked}");
    asked["id"].as_str().unwrap().to_owned()
}

/// The deletion, as soon as nothing is left.
pub(crate) async fn verified(admin: &ProjectClient, id: &str) -> Value {
    let path = format!("/api/v1/deletions/{id}");
    eventually_within(Duration::from_secs(120), "it is verified", async || {
        let answer = admin.get(&path).await;
        let now: Value = answer.json().await.map_err(|error| error.to_string())?;
        if now["state"] == "verified" {
            Ok(now)
        } else {
            Err(now.to_string())
        }
    })
    .await
}

/// A span of a new trace that names a user.
fn of_user(name: &str, user: &str) -> SpanBuilder {
    SpanBuilder::root(name).attribute("user.id", user)
}
