//! The public API of Langfuse, as programs see it that were written for it.

mod annotation;
mod blob_storage;
mod cache;
mod changes;
mod comments;
mod composition;
mod datasets;
mod document;
mod durable;
mod errors;
mod exact;
mod expectations;
mod filters;
mod legacy;
mod llm_connections;
pub(crate) mod media;
mod metrics;
mod models;
mod observations;
mod organisations;
mod people;
mod prompts;
mod protection;
pub(crate) mod required;
mod scores;
mod sdk;
mod sessions;
mod tenancy;
mod times;
mod tools;
mod traces;
mod vectors;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::Answer;
use tests::{ProjectClient, eventually};

const PROMPTS: &str = "/api/public/v2/prompts";

/// A project's prompts.
struct Prompts<'c>(&'c ProjectClient);

impl Prompts<'_> {
    async fn get(&self, path: &str) -> Answer {
        let path = format!("{PROMPTS}{path}");
        self.0.langfuse(Method::GET, &path, None).await
    }

    /// What must be there.
    async fn found(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
        answer.body
    }

    async fn create(&self, body: &Value) -> Answer {
        self.0.langfuse(Method::POST, PROMPTS, Some(body)).await
    }

    /// A version that must be accepted.
    async fn created(&self, body: &Value) -> Value {
        let answer = self.create(body).await;
        assert_eq!(
            answer.status,
            StatusCode::CREATED,
            "{body}: {}",
            answer.body
        );
        answer.body
    }

    /// A text that must be accepted.
    async fn text(&self, name: &str, text: &str, labels: &[&str]) -> Value {
        let body = json!({ "name": name, "prompt": text, "labels": labels });
        self.created(&body).await
    }

    /// `name` as it stands in a path.
    async fn label(&self, name: &str, version: u32, labels: &[&str]) -> Answer {
        let path = format!("{PROMPTS}/{name}/versions/{version}");
        let body = json!({ "newLabels": labels });
        self.0.langfuse(Method::PATCH, &path, Some(&body)).await
    }

    async fn delete(&self, path: &str) -> Answer {
        let path = format!("{PROMPTS}{path}");
        self.0.langfuse(Method::DELETE, &path, None).await
    }
}

/// An event of the older way to send.
pub(crate) fn event(number: u32, second: u32, kind: &str, body: &Value) -> Value {
    json!({
        "id": format!("event-{number}"),
        "timestamp": format!("2026-11-03T10:00:{second:02}.000Z"),
        "type": kind,
        "body": body,
    })
}

/// Sends events that must all be accepted.
pub(crate) async fn ingest(client: &ProjectClient, events: &[Value]) {
    let body = json!({ "batch": events });
    let answer = client
        .langfuse(Method::POST, "/api/public/ingestion", Some(&body))
        .await;
    assert_eq!(answer.status, StatusCode::MULTI_STATUS);
    assert_eq!(answer.body["errors"], json!([]), "{}", answer.body);
}

/// What is read.
pub(crate) async fn read(client: &ProjectClient, path: &str) -> Answer {
    let path = format!("/api/public{path}");
    client.langfuse(Method::GET, &path, None).await
}

/// What must be there.
pub(crate) async fn found(client: &ProjectClient, path: &str) -> Value {
    let answer = read(client, path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    answer.body
}

/// What is there, as soon as it is as it should be.
pub(crate) async fn becomes(
    client: &ProjectClient,
    path: &str,
    is_right: impl Fn(&Value) -> bool,
) -> Value {
    eventually(path, async || {
        let answer = read(client, path).await;
        if answer.status.is_success() && is_right(&answer.body) {
            Ok(answer.body)
        } else {
            Err((answer.status, answer.body))
        }
    })
    .await
}

/// A parameter as it stands in an address.
pub(crate) fn escaped(value: &Value) -> String {
    let text = value.to_string();
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The values of a field of a list.
pub(crate) fn all<'v>(list: &'v Value, field: &str) -> Vec<&'v Value> {
    let rows = list["data"].as_array().unwrap().iter();
    rows.map(|row| &row[field]).collect()
}
