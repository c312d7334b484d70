//! Queues of things to be judged by people.

mod assignments;
mod items;
mod queues;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::langfuse::Answer;

use super::scores::Scores;

pub(super) const QUEUES: &str = "/api/public/annotation-queues";

/// What comes of a request below the queues.
pub(super) async fn ask(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Answer {
    client
        .langfuse(method, &format!("{QUEUES}{path}"), body)
        .await
}

/// What must succeed.
pub(super) async fn done(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Value {
    let answer = ask(client, method, path, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    answer.body
}

/// A new queue of that name, with one configuration; its id.
pub(super) async fn queue(client: &ProjectClient, name: &str) -> String {
    let config = json!({ "name": name, "dataType": "BOOLEAN" });
    let config = Scores(client).config(&config).await;
    let body = json!({ "name": name, "scoreConfigIds": [config] });
    let made = done(client, Method::POST, "", Some(&body)).await;
    made["id"].as_str().unwrap().to_owned()
}

/// A new item of a queue; its id.
pub(super) async fn item(client: &ProjectClient, queue: &str, object: &str) -> String {
    let body = json!({ "objectId": object, "objectType": "TRACE" });
    let made = done(
        client,
        Method::POST,
        &format!("/{queue}/items"),
        Some(&body),
    )
    .await;
    made["id"].as_str().unwrap().to_owned()
}

/// That a request is refused with a status, and how.
async fn refused(
    client: &ProjectClient,
    request: (Method, &str, Option<&Value>),
    status: StatusCode,
) -> Value {
    let (method, path, body) = request;
    let answer = ask(client, method, path, body).await;
    assert_eq!(answer.status, status, "{path} {body:?}: {}", answer.body);
    answer.body
}
