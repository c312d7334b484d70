//! Scores, from every client that sends them to every place that shows them.

mod configs;
mod own;
mod public_key;
mod reads;
mod sent;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::Answer;
use tests::{ProjectClient, eventually};

const INGESTION: &str = "/api/public/ingestion";

/// A project's scores.
pub(super) struct Scores<'c>(pub(super) &'c ProjectClient);

impl Scores<'_> {
    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let path = format!("/api/public{path}");
        self.0.langfuse(method, &path, body).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, None).await
    }

    /// What must be there.
    pub(super) async fn found(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
        answer.body
    }

    async fn post(&self, score: &Value) -> Answer {
        self.ask(Method::POST, "/scores", Some(score)).await
    }

    /// A score that must be accepted; its id.
    pub(super) async fn posted(&self, score: &Value) -> String {
        let answer = self.post(score).await;
        assert_eq!(answer.status, StatusCode::OK, "{score}: {}", answer.body);
        answer.body["id"].as_str().unwrap().to_owned()
    }

    /// A batch of events; what became of them.
    async fn batch(&self, events: &[Value]) -> Value {
        let body = json!({ "batch": events });
        let request = self.0.request(Method::POST, INGESTION).json(&body);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::MULTI_STATUS);
        answer.json().await.unwrap()
    }

    /// A score, once it is what it must be.
    async fn becomes(&self, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/v2/scores/{id}");
        eventually(&format!("{path} is as it must be"), async || {
            let answer = self.get(&path).await;
            match answer.status {
                StatusCode::OK if is_so(&answer.body) => Ok(answer.body),
                status => Err(format!("{status} {}", answer.body)),
            }
        })
        .await
    }

    /// A score, once it is there.
    pub(super) async fn stored(&self, id: &str) -> Value {
        self.becomes(id, |_| true).await
    }

    /// A configuration that must be accepted; its id.
    pub(super) async fn config(&self, body: &Value) -> String {
        let answer = self.ask(Method::POST, "/score-configs", Some(body)).await;
        assert_eq!(answer.status, StatusCode::OK, "{body}: {}", answer.body);
        answer.body["id"].as_str().unwrap().to_owned()
    }

    /// The ids of a list, in its order.
    async fn ids(&self, path: &str) -> Vec<String> {
        let list = self.found(path).await;
        let ids = list["data"].as_array().unwrap().iter();
        ids.map(|score| score["id"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// An event with a score.
fn event(id: &str, at: &str, body: &Value) -> Value {
    json!({ "id": id, "timestamp": at, "type": "score-create", "body": body })
}
