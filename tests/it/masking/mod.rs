//! What must not be stored.

mod doors;
mod settings;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::ProjectClient;

/// What a request was answered.
async fn send(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let request = client.request(method, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(json!(text)))
}

/// Sets what is masked.
async fn set(admin: &ProjectClient, settings: &Value) -> Value {
    let (status, set) = send(admin, Method::PUT, "/api/v1/masking", settings).await;
    assert_eq!(status, StatusCode::OK, "{set}");
    set
}
