//! What is past its time, and what is not.

mod audit;
mod others;
mod sampling;
mod settings;
mod shells;
mod tiers;

use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, now_nanos};
use tests::{ProjectClient, Server, eventually_within};

use crate::deletions::everywhere::stores;

const RETENTION: &str = "/api/v1/retention";

async fn send(client: &ProjectClient, method: Method, body: &Value) -> (StatusCode, Value) {
    let request = client.request(method, RETENTION).body(body.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(json!(text)))
}

/// Sets what is kept how long, and waits for the look that follows; what it verified.
pub(crate) async fn set(admin: &ProjectClient, settings: &Value) -> Value {
    let before = now();
    let (status, set) = send(admin, Method::PUT, settings).await;
    assert_eq!(status, StatusCode::OK, "{set}");
    verified_since(admin, &before).await
}

/// What the next look after a time verified.
async fn verified_since(client: &ProjectClient, since: &str) -> Value {
    eventually_within(Duration::from_secs(120), "it is verified", async || {
        let shown = client.get_json(RETENTION).await;
        let verification = shown["verification"].clone();
        match verification["verified_at"].as_str() {
            Some(at) if at > since => Ok(verification),
            _ => Err(shown.to_string()),
        }
    })
    .await
}

fn now() -> String {
    let now = domain::Timestamp::from_unix_nanos(now_nanos()).unwrap();
    now.to_string()
}

/// A span that began some hours ago and took a second.
fn aged(span: SpanBuilder, hours: u64) -> SpanBuilder {
    let start = now_nanos() - hours * 3_600_000_000_000;
    span.field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + 1_000_000_000).to_string())
}

/// A count in the telemetry store, rows that are marked as deleted included.
async fn counted(server: &Server, from: &str) -> u64 {
    let (_, clickhouse) = stores(server).await;
    let database = clickhouse.path().trim_start_matches('/').to_owned();
    let mut address = clickhouse.clone();
    address.set_path("/");
    let sql = format!("SELECT count() FROM {from} SETTINGS apply_deleted_mask = 0 FORMAT TSV");
    let request = Client::new().post(address).query(&[("database", database)]);
    let text = request
        .body(sql)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    text.trim()
        .parse()
        .unwrap_or_else(|_| panic!("{from}: {text}"))
}
