//! Datasets, their items, runs over them, and experiments.

mod experiments;
mod items;
mod linked;
mod media;
mod named;
mod runs;
mod versions;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::langfuse::Answer;

/// A project's datasets.
pub(super) struct Datasets<'c>(pub(super) &'c ProjectClient);

impl Datasets<'_> {
    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let path = format!("/api/public{path}");
        self.0.langfuse(method, &path, body).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, None).await
    }

    async fn delete(&self, path: &str) -> Answer {
        self.ask(Method::DELETE, path, None).await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(Method::POST, path, Some(body)).await
    }

    /// What must be there.
    pub(super) async fn found(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
        answer.body
    }

    /// What must be accepted.
    async fn accepted(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body).await;
        assert_eq!(answer.status, StatusCode::OK, "{body}: {}", answer.body);
        answer.body
    }

    /// A dataset that must be accepted.
    pub(super) async fn dataset(&self, body: &Value) -> Value {
        self.accepted("/v2/datasets", body).await
    }

    /// A dataset of that name and nothing else; its id.
    pub(super) async fn named(&self, name: &str) -> String {
        let made = self.dataset(&json!({ "name": name })).await;
        made["id"].as_str().unwrap().to_owned()
    }

    /// An item that must be accepted.
    pub(super) async fn item(&self, body: &Value) -> Value {
        self.accepted("/dataset-items", body).await
    }

    /// A link that must be accepted.
    pub(super) async fn link(&self, body: &Value) -> Value {
        self.accepted("/dataset-run-items", body).await
    }

    /// The rows of a list that goes on by cursor, so many at a time.
    async fn walked(&self, path: &str, limit: usize) -> Vec<Value> {
        let mut walked = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = self.found(&format!("{path}&limit={limit}{cursor}")).await;
            let rows = page["data"].as_array().unwrap();
            walked.extend(rows.clone());
            let Some(next) = page["meta"]["cursor"].as_str() else {
                return walked;
            };
            assert_eq!(rows.len(), limit, "{page}");
            cursor = format!("&cursor={next}");
        }
    }

    /// The ids of a list, in its order.
    async fn ids(&self, path: &str) -> Vec<String> {
        let list = self.found(path).await;
        let rows = list["data"].as_array().unwrap().iter();
        rows.map(|row| row["id"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// A field of rows that is a text in each.
fn texts<'v>(rows: &'v [Value], field: &str) -> Vec<&'v str> {
    let texts = rows.iter().map(|row| row[field].as_str().unwrap());
    texts.collect()
}

/// That something was not found, in the words that clients wait for.
fn assert_missing(answer: &Answer) {
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{}", answer.body);
    assert_eq!(answer.body["error"], "LangfuseNotFoundError");
}

/// That a field, or the whole, was refused.
fn assert_refused(answer: &Answer, field: Option<&str>) {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    if let Some(field) = field {
        assert_eq!(answer.body["error"][0]["path"][0], field, "{}", answer.body);
    }
}
