//! What keys of organisations and the operator's key manage.

pub(super) mod doors;
mod init;
mod keys;
mod members;
mod operator;
mod projects;
mod scim;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::langfuse::Answer;

/// A request below `/api/public`.
async fn ask(client: &ProjectClient, method: Method, path: &str, body: Option<&Value>) -> Answer {
    let path = format!("/api/public{path}");
    client.langfuse(method, &path, body).await
}

/// One that must succeed with a status.
async fn done(
    client: &ProjectClient,
    (method, path): (Method, &str),
    body: Option<&Value>,
    status: StatusCode,
) -> Value {
    let answer = ask(client, method, path, body).await;
    assert_eq!(answer.status, status, "{path}: {}", answer.body);
    answer.body
}

/// A person who is new, made a member of the client's organisation; their id and e-mail.
async fn provision(client: &ProjectClient, name: &str, role: &str) -> (String, String) {
    let email = format!("{name}-{}@example.org", rand::random::<u32>());
    let user = json!({
        "userName": email,
        "name": { "formatted": name },
        "roles": [role],
    });
    let made = done(
        client,
        (Method::POST, "/scim/Users"),
        Some(&user),
        StatusCode::CREATED,
    )
    .await;
    (made["id"].as_str().unwrap().to_owned(), email)
}
