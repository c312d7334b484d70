//! Sending again, sending in another order, sending into two projects.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{Server, eventually, shared};

#[tokio::test(flavor = "multi_thread")]
async fn a_resent_export_changes_nothing_even_after_a_restart() {
    let server = Server::start().await;
    let client = server.client();
    let root = SpanBuilder::root("chat.turn");
    let call = generation(&root, 10, 5);
    let body = export([&root, &call]);
    client.accept_traces(&body).await;
    client.accept_traces(&body).await;
    client.trace_with_spans(root.trace_id(), 2).await;
    assert_eq!(server.stop(), Some(0), "a stop by SIGTERM is clean");
    server.start_again().await;
    client.accept_traces(&body).await;

    // A later span shows that everything sent before it has been stored.
    let marker = SpanBuilder::root("marker");
    client.accept_traces(&export([&marker])).await;
    client.trace_with_spans(marker.trace_id(), 1).await;
    let trace = client.trace_with_spans(root.trace_id(), 2).await;
    assert_eq!(trace["usage"]["input_tokens"], 10);
    assert_eq!(trace["usage"]["output_tokens"], 5);
    let listed = client.get_json("/api/v1/traces").await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
    let spans = client.get_json("/api/v1/spans").await;
    assert_eq!(spans["data"].as_array().unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_span_sent_again_with_newer_numbers_replaces_the_older_one_in_either_order() {
    let server = shared().await;
    let now = now_nanos();
    for newest_first in [false, true] {
        let client = server.new_project();
        let root = SpanBuilder::root("turn");
        let older = generation(&root, 100, 5)
            .field("startTimeUnixNano", (now - 5_000_000_000).to_string())
            .field("endTimeUnixNano", (now - 3_000_000_000).to_string());
        let newer = generation(&root, 200, 5)
            .field("spanId", older.span_id())
            .field("startTimeUnixNano", (now - 5_000_000_000).to_string())
            .field("endTimeUnixNano", (now - 1_000_000_000).to_string());
        let order = if newest_first {
            [&newer, &older]
        } else {
            [&older, &newer]
        };
        client.accept_traces(&export([&root])).await;
        for span in order {
            client.accept_traces(&export([span])).await;
        }
        client.trace_with_spans(root.trace_id(), 2).await;
        eventually("200 tokens", async || {
            let trace = client
                .get_json(&format!("/api/v1/traces/{}", root.trace_id()))
                .await;
            let seen = (
                trace["span_count"].clone(),
                trace["usage"]["input_tokens"].clone(),
            );
            if seen == (json!(2), json!(200)) {
                Ok(())
            } else {
                Err(seen)
            }
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_ids_in_two_projects_are_two_things() {
    let server = shared().await;
    let (one, two) = (server.new_project(), server.new_project());
    let span = SpanBuilder::root("same");
    one.accept_traces(&export([&span.clone().attribute("input.value", "one")]))
        .await;
    two.accept_traces(&export([&span.clone().attribute("input.value", "two")]))
        .await;
    assert_eq!(
        input_of(&one.trace_with_spans(span.trace_id(), 1).await),
        "one"
    );
    assert_eq!(
        input_of(&two.trace_with_spans(span.trace_id(), 1).await),
        "two"
    );

    let path = format!("/api/v1/traces/{}", span.trace_id());
    let answer = one
        .request(reqwest::Method::DELETE, &path)
        .send()
        .await
        .unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
    assert_eq!(one.get(&path).await.status(), 404);
    assert_eq!(input_of(&two.get_json(&path).await), "two");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_acknowledged_trace_is_readable_and_listed() {
    let client = shared().await.new_project();
    let spans: Vec<SpanBuilder> = (0..200)
        .map(|n| SpanBuilder::root(&format!("turn {n}")))
        .collect();
    for span in &spans {
        client.accept_traces(&export([span])).await;
    }
    for span in &spans {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    let listed = client.get_json("/api/v1/traces?limit=1000").await;
    assert_eq!(listed["data"].as_array().unwrap().len(), spans.len());
}

fn generation(parent: &SpanBuilder, input_tokens: u64, output_tokens: u64) -> SpanBuilder {
    parent
        .child("answer")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.usage.input_tokens", input_tokens)
        .attribute("gen_ai.usage.output_tokens", output_tokens)
}

fn input_of(trace: &Value) -> &Value {
    &trace["spans"][0]["input"]
}
