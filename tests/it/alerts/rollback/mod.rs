//! Rollback: labels of prompts that go back, because somebody asks or because of an incident.

mod asked;
mod automatic;
mod versions;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tests::builders::{SpanBuilder, now_nanos};
use tests::{ProjectClient, Server};

use super::{ask, call, made, send};

/// A `/` makes folders; in addresses it is written %2F.
const NAME: &str = "team/greet";
const PATH: &str = "/api/v1/prompts/team%2Fgreet";
const MINUTE: u64 = 60_000_000_000;

/// Versions of the prompt; the label production moves along.
async fn versions(client: &ProjectClient, count: u32) {
    for version in 1..=count {
        let text = format!("text of version {version}");
        let body = json!({"name": NAME, "prompt": text, "labels": ["production"]});
        let made = made(client, "/api/public/v2/prompts", body).await;
        assert_eq!(made["version"], version);
    }
}

/// The version that clients get.
async fn served(client: &ProjectClient) -> Value {
    let prompt = client.get_json("/api/public/v2/prompts/team%2Fgreet").await;
    prompt["version"].clone()
}

/// A call with a version of the prompt that ended an instant ago, with its output tokens.
fn use_of(version: u32, ago_ns: u64, output_tokens: u32) -> SpanBuilder {
    call(now_nanos() - ago_ns, 0.1)
        .attribute("llm.app.prompt_template_id", NAME)
        .attribute("llm.app.prompt_template_version", version.to_string())
        .attribute("gen_ai.usage.input_tokens", 100)
        .attribute("gen_ai.usage.output_tokens", output_tokens)
}

/// So many calls with a version, from some minutes ago.
async fn uses(client: &ProjectClient, version: u32, count: u64, minutes: u64, tokens: u32) {
    let calls: Vec<SpanBuilder> = (0..count)
        .map(|at| use_of(version, minutes * MINUTE + at * 1_000_000_000, tokens))
        .collect();
    send(client, &calls).await;
}

async fn post(client: &ProjectClient, path: &str, body: Value) -> (StatusCode, Value) {
    ask(client, Method::POST, &format!("{PATH}{path}"), body).await
}

async fn set_policy(client: &ProjectClient, body: Value) -> (StatusCode, Value) {
    ask(
        client,
        Method::PUT,
        &format!("{PATH}/rollback-policy"),
        body,
    )
    .await
}

/// What went back, the newest first.
async fn history(client: &ProjectClient) -> Vec<Value> {
    let found = client.get_json(&format!("{PATH}/rollbacks")).await;
    found["data"].as_array().unwrap().clone()
}

fn failed(checks: &Value) -> Vec<&str> {
    let failed = checks.as_array().unwrap().iter();
    let failed = failed.filter(|check| check["ok"] == false);
    failed
        .map(|check| check["metric"].as_str().unwrap())
        .collect()
}

async fn database(server: &Server) -> PgConnection {
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = run["database_url"].as_str().unwrap();
    PgConnection::connect(url).await.unwrap()
}
