//! `kill -9` of the server while it prices history anew.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, eventually_within};

const TRACES: usize = 10;
const CALLS_PER_TRACE: usize = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn pricing_history_anew_goes_on_where_a_kill_broke_it_off() {
    let server = Server::start().await;
    let client = server.client();
    for _ in 0..TRACES {
        let root = SpanBuilder::root("root");
        let call = |_| {
            root.child("call")
                .attribute("gen_ai.operation.name", "chat")
                .attribute("gen_ai.response.model", "m1")
                .attribute("gen_ai.usage.input_tokens", 3)
        };
        let calls: Vec<SpanBuilder> = (0..CALLS_PER_TRACE).map(call).collect();
        client.accept_traces(&export([&root])).await;
        client.accept_traces(&export(&calls)).await;
    }
    all_traces(&client, "all are stored", |trace| {
        trace["unpriced_calls"] == CALLS_PER_TRACE
    })
    .await;
    let price = json!({"model": "m1", "prices": {"input": "0.00000005"}});
    asked(&client, "/api/v1/prices", &price).await;
    let all = json!({"from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z"});
    let id = asked(&client, "/api/v1/reprice", &all).await;
    let path = format!("/api/v1/reprice/{id}");
    let begun = async || {
        let now = client.get_json(&path).await;
        if now["done"] == 0 { Err(now) } else { Ok(now) }
    };
    let at_kill = eventually_within(Duration::from_secs(60), "it has begun", begun).await;
    server.kill();
    server.start_again().await;

    let done = async || {
        let now = client.get_json(&path).await;
        if now["state"] == "done" {
            Ok(now)
        } else {
            Err(now)
        }
    };
    let now = eventually_within(Duration::from_secs(60), "it is done", done).await;
    println!("killed at {}, then {now}", at_kill["done"]);
    assert_eq!(now["done"], TRACES * CALLS_PER_TRACE);
    assert_eq!(now["total"], now["done"]);
    all_traces(&client, "all have their cost", |trace| {
        trace["unpriced_calls"] == 0
            && trace["cost"]["total"] == "0.00015"
            && trace["span_count"] == CALLS_PER_TRACE + 1
    })
    .await;
}

/// Sends JSON that makes a thing; its id.
async fn asked(client: &ProjectClient, path: &str, body: &Value) -> String {
    let request = client.request(Method::POST, path).body(body.to_string());
    let made: Value = request.send().await.unwrap().json().await.unwrap();
    made["id"].as_str().unwrap().to_owned()
}

async fn all_traces(client: &ProjectClient, what: &str, is_so: fn(&Value) -> bool) {
    eventually_within(Duration::from_secs(30), what, async || {
        let listed = client.get_json("/api/v1/traces").await;
        let traces = listed["data"].as_array().unwrap();
        if traces.len() == TRACES && traces.iter().all(is_so) {
            Ok(())
        } else {
            Err(listed.to_string().chars().take(600).collect::<String>())
        }
    })
    .await;
}
