//! Models: those that come with the product, and a project's own with their prices.

mod listed;
mod priced;
mod usage;

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tests::ProjectClient;
use tests::langfuse::Answer;

use super::{becomes, event, found, ingest, read};

async fn create(client: &ProjectClient, body: &Value) -> Answer {
    client
        .langfuse(Method::POST, "/api/public/models", Some(body))
        .await
}

/// A model that must be accepted.
async fn created(client: &ProjectClient, body: &Value) -> Value {
    let answer = create(client, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{body}: {}", answer.body);
    answer.body
}

async fn delete(client: &ProjectClient, id: &str) -> Answer {
    let path = format!("/api/public/models/{id}");
    client.langfuse(Method::DELETE, &path, None).await
}
