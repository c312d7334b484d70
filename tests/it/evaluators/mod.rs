//! Evaluators: judges against a provider of models of this machine, and rules.

mod again;
mod judges;
mod page;
mod provider;
mod rules;

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, Server, Settings, eventually_within};

use provider::{Provider, SECRET};

/// How long a score may take: looks are some seconds apart, and what failed rests.
const PATIENCE: Duration = Duration::from_secs(60);

fn settings() -> Settings {
    Settings::default().with("TRIAXIS_ALLOW_PRIVATE_ADDRESSES", "127.0.0.0/8, ::1")
}

/// A server that may reach providers of this machine; the tests of here share it.
async fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    tokio::task::spawn_blocking(|| {
        SERVER.get_or_init(|| {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(Server::start_with(settings()))
        })
    })
    .await
    .unwrap()
}

/// A request that must succeed.
async fn done(client: &ProjectClient, method: Method, path: &str, body: Value) -> Value {
    let request = client.request(method, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert!(status.is_success(), "{path}: {status} {text}");
    serde_json::from_str(&text).unwrap_or_default()
}

/// What was wrong with a request.
async fn refused(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: Value,
) -> (StatusCode, Value) {
    let request = client.request(method, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    (answer.status(), answer.json().await.unwrap_or_default())
}

/// Makes an evaluator; its path.
async fn made(client: &ProjectClient, body: Value) -> String {
    let made = done(client, Method::POST, "/api/v1/evaluators", body).await;
    format!("/api/v1/evaluators/{}", made["id"].as_str().unwrap())
}

/// Sets a connection to a provider; its id.
async fn connected(client: &ProjectClient, provider: &Provider) -> String {
    let body = json!({
        "provider": "judge", "adapter": "openai", "secretKey": SECRET, "baseURL": provider.url,
        "withDefaultModels": false,
    });
    let path = "/api/public/llm-connections";
    let made = client.langfuse(Method::PUT, path, Some(&body)).await;
    assert!(made.status.is_success(), "{}", made.body);
    made.body["id"].as_str().unwrap().to_owned()
}

/// A root span that ends now.
fn root(input: &str, output: &str) -> SpanBuilder {
    SpanBuilder::root("answering")
        .field("endTimeUnixNano", now_nanos().to_string())
        .attribute("langfuse.observation.input", input)
        .attribute("langfuse.observation.output", output)
}

/// Sends a trace in which something was asked and answered; its id.
async fn answered(client: &ProjectClient, input: &str, output: &str) -> String {
    let root = root(input, output);
    client.accept_traces(&export([&root])).await;
    root.trace_id().to_owned()
}

/// Scores of a trace.
async fn scores(client: &ProjectClient, trace: &str) -> Vec<Value> {
    let path = format!("/api/public/v2/scores?traceId={trace}");
    let all = client.get_json(&path).await;
    all["data"].as_array().unwrap().clone()
}

/// The one score of a trace, once it is there.
async fn scored(client: &ProjectClient, trace: &str) -> Value {
    eventually_within(PATIENCE, "a score", async || {
        let mut all = scores(client, trace).await;
        match all.len() {
            1 => Ok(all.remove(0)),
            _ => Err(all),
        }
    })
    .await
}

/// An evaluator, once it is as it should be.
async fn becomes(
    client: &ProjectClient,
    (path, what): (&str, &str),
    is_so: impl Fn(&Value) -> bool,
) -> Value {
    eventually_within(PATIENCE, what, async || {
        let evaluator = client.get_json(path).await;
        match is_so(&evaluator) {
            true => Ok(evaluator),
            false => Err(evaluator),
        }
    })
    .await
}
