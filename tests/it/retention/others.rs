//! What is of no trace: metrics, business events; and the days that a project names in Langfuse's API.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, Server, eventually, eventually_within, shared};

use super::{aged, counted, set};
use crate::deletions::project;

const HOUR: u64 = 3_600_000_000_000;

async fn posted(client: &ProjectClient, path: &str, body: &Value) -> Value {
    let request = client.request(Method::POST, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    assert!(status.is_success(), "{path}: {status}: {text}");
    serde_json::from_str(&text).unwrap_or_default()
}

/// A gauge that was measured some hours ago.
fn gauge(name: &str, hours: u64) -> Value {
    let time = (now_nanos() - hours * HOUR).to_string();
    json!({"name": name, "gauge": {"dataPoints": [{"timeUnixNano": time, "asInt": 300}]}})
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_and_business_events_go_by_their_own_days() {
    let server = Server::start().await;
    let (member, admin) = project(&server);
    let metrics = [
        gauge("gone_with_its_series", 72),
        gauge("old_and_new", 72),
        gauge("old_and_new", 1),
    ];
    let body = json!({"resourceMetrics": [{"scopeMetrics": [{"metrics": metrics}]}]});
    let sent = member.send_body(
        "/v1/metrics",
        body.to_string().into_bytes(),
        "application/json",
    );
    assert_eq!(sent.await.status(), StatusCode::OK);
    let at = |hours: u64| {
        let at = domain::Timestamp::from_unix_nanos(now_nanos() - hours * HOUR).unwrap();
        at.to_string()
    };
    let events = json!([{"id": "old", "type": "ticket", "at": at(72)}, {"id": "new", "type": "ticket", "at": at(1)}]);
    posted(&member, "/api/v1/business-events", &events).await;
    eventually("samples are stored", async || {
        let many = counted(&server, "samples").await;
        (many == 3).then_some(()).ok_or(many)
    })
    .await;
    let verification = set(&admin, &json!({"metrics_days": 1, "structure_days": 2})).await;
    assert_eq!(verification["rows_past_their_time"], 0, "{verification}");
    assert_eq!(counted(&server, "samples").await, 1, "on the disk, too");
    let series = member.get_json("/api/v1/metrics/series").await.to_string();
    assert!(series.contains("old_and_new"), "{series}");
    assert!(!series.contains("gone_with_its_series"), "{series}");
    let events = member.get_json("/api/v1/business-events").await.to_string();
    assert!(
        events.contains("\"new\"") && !events.contains("\"old\""),
        "{events}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn days_that_a_project_names_are_kept_to_until_others_are_set() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let new = json!({"name": "kept for a while", "retention": 3});
    let made = posted(client, "/api/public/projects", &new).await;
    let path = format!(
        "/api/public/projects/{}/apiKeys",
        made["id"].as_str().unwrap()
    );
    let key = posted(client, &path, &json!({})).await;
    let text = |field: &str| key[field].as_str().unwrap().to_owned();
    let member = ProjectClient::new(server.http_url(), &text("publicKey"), &text("secretKey"));
    let shown = member.get_json(super::RETENTION).await;
    assert_eq!(
        (&shown["content_days"], &shown["structure_days"]),
        (&json!(3), &json!(3))
    );
    let (old, new) = (
        aged(SpanBuilder::root("old"), 120),
        aged(SpanBuilder::root("new"), 48),
    );
    member.accept_traces(&export([&old, &new])).await;
    member.trace_with_spans(new.trace_id(), 1).await;
    eventually_within(
        Duration::from_secs(120),
        "the old one is gone",
        async || {
            let path = format!("/api/v1/traces/{}", old.trace_id());
            let looked = member.get_json(super::RETENTION).await["verification"].clone();
            let status = member.get(&path).await.status();
            (looked != Value::Null && status == 404)
                .then_some(())
                .ok_or(format!("{status} {looked}"))
        },
    )
    .await;
    member.trace_with_spans(new.trace_id(), 1).await;
}
