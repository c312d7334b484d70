//! Alerts: rules, what is usual, incidents, messages.

mod channels;
mod composite;
mod forms;
mod late;
mod once;
pub(crate) mod receiver;
mod rollback;
mod rules;
mod scores;
mod told;
mod unknown;
mod usual;

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, Settings, eventually_within};

use receiver::Receiver;

pub(crate) const SECRET: &str = "a-secret-of-the-receiver-7d21";

/// What seals credentials, the same on each server of a test.
const KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Settings of a server that may reach receivers of this machine.
fn settings() -> Settings {
    let settings = Settings::default().with("TRIAXIS_ENCRYPTION_KEY", KEY);
    settings.with("TRIAXIS_ALLOW_PRIVATE_ADDRESSES", "127.0.0.0/8")
}

/// A server that may reach receivers of this machine.
pub(crate) async fn server() -> Server {
    Server::start_with(settings()).await
}

/// Another one on its stores.
async fn beside(first: &Server) -> Server {
    let text = std::fs::read(first.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&text).unwrap();
    let url = |key: &str| run[key].as_str().unwrap().to_owned();
    let settings = settings()
        .with("TRIAXIS_DATABASE_URL", url("database_url"))
        .with("TRIAXIS_CLICKHOUSE_URL", url("clickhouse_url"));
    Server::start_with(settings).await
}

/// A request; status and JSON of the answer.
async fn ask(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: Value,
) -> (StatusCode, Value) {
    let request = client.request(method, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// Makes a thing that must be accepted.
async fn made(client: &ProjectClient, path: &str, body: Value) -> Value {
    let (status, made) = ask(client, Method::POST, path, body).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    made
}

/// A webhook of a receiver; its id.
pub(crate) async fn webhook(client: &ProjectClient, receiver: &Receiver) -> String {
    let channel = json!({"name": "hook", "kind": "webhook", "url": receiver.url, "secret": SECRET});
    let channel = made(client, "/api/v1/channels", channel).await;
    channel["id"].as_str().unwrap().to_owned()
}

/// A call that ended at an instant, with its time to the first token.
pub(crate) fn call(end_ns: u64, ttft_s: f64) -> SpanBuilder {
    call_of("m", end_ns, ttft_s)
}

/// The same of a model.
fn call_of(model: &str, end_ns: u64, ttft_s: f64) -> SpanBuilder {
    SpanBuilder::root("chat")
        .field("startTimeUnixNano", (end_ns - 6_000_000_000).to_string())
        .field("endTimeUnixNano", end_ns.to_string())
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.response.model", model)
        .attribute("gen_ai.response.time_to_first_chunk", ttft_s)
}

/// The same, failed.
pub(crate) fn failed(end_ns: u64) -> SpanBuilder {
    call(end_ns, 0.1).field("status", json!({"code": 2}))
}

/// Sends calls, and waits until all can be read.
pub(crate) async fn send(client: &ProjectClient, calls: &[SpanBuilder]) {
    for some in calls.chunks(500) {
        client.accept_traces(&export(some)).await;
    }
    for call in calls.iter().step_by(97).chain(calls.last()) {
        client.trace_with_spans(call.trace_id(), 1).await;
    }
}

/// Waits until the incidents of a project are as wanted.
async fn incidents(
    client: &ProjectClient,
    what: &str,
    is_wanted: impl Fn(&[Value]) -> bool,
) -> Vec<Value> {
    eventually_within(Duration::from_secs(120), what, async || {
        let found = client.get_json("/api/v1/incidents").await;
        let all = found["data"].as_array().unwrap().clone();
        if is_wanted(&all) { Ok(all) } else { Err(all) }
    })
    .await
}
