//! Small inputs with the one result that clients of Langfuse know.

mod events;
mod reads;
mod spans;

use reqwest::Method;
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::langfuse::Answer;

async fn post(client: &ProjectClient, path: &str, body: &Value) -> Answer {
    let path = format!("/api/public{path}");
    client.langfuse(Method::POST, &path, Some(body)).await
}

async fn batch(client: &ProjectClient, events: &[Value]) -> Answer {
    post(client, "/ingestion", &json!({ "batch": events })).await
}
