//! The public API of Langfuse, as programs see it that were written for it.

mod cache;
mod changes;
mod composition;
mod document;
mod errors;
mod prompts;
mod protection;
mod scores;
mod sdk;
mod tenancy;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::langfuse::Answer;

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
