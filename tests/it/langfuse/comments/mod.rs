//! Remarks on things.

mod deleted;
mod kept;
mod refused;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::langfuse::Answer;

pub(super) const COMMENTS: &str = "/api/public/comments";

async fn write(client: &ProjectClient, body: &Value) -> Answer {
    client.langfuse(Method::POST, COMMENTS, Some(body)).await
}

/// A comment that must be accepted; its id.
pub(super) async fn written(client: &ProjectClient, kind: &str, id: &str, content: &str) -> String {
    let answer = write(client, &comment(kind, id, content)).await;
    assert_eq!(
        answer.status,
        StatusCode::OK,
        "{kind} {id}: {}",
        answer.body
    );
    answer.body["id"].as_str().unwrap().to_owned()
}

fn comment(kind: &str, id: &str, content: &str) -> Value {
    json!({ "projectId": "any", "objectType": kind, "objectId": id, "content": content })
}
