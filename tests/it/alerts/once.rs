//! A call counts once in rules, however many spans tell of it: as in lists.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, shared};

use super::unknown::said;
use super::{call, made};

const MINUTE: u64 = 60_000_000_000;

/// A span of the engine below another, with what only it knows.
fn engine(below: &SpanBuilder, ttft_s: f64) -> SpanBuilder {
    below
        .child("llm_request")
        .attribute("gen_ai.latency.time_in_queue", 0.25)
        .attribute("gen_ai.latency.time_to_first_token", ttft_s)
        .attribute("gen_ai.usage.prompt_tokens", 100)
        .attribute("gen_ai.request.model", "m")
}

/// A call of a client that tells of its tokens.
fn client_call(end_ns: u64) -> SpanBuilder {
    call(end_ns, 0.1).attribute("gen_ai.usage.input_tokens", 100)
}

async fn values(client: &ProjectClient, end_ns: u64, series: &[&str]) -> Vec<Value> {
    let mut values = Vec::new();
    for series in series {
        let rule = json!({"name": format!("{series} {end_ns}"), "kind": "threshold",
            "series": series, "enabled": false, "params": {"value": 1e9, "window_s": 600}});
        let rule = made(client, "/api/v1/alert-rules", rule).await;
        let said = said(client, &rule, end_ns + MINUTE).await;
        values.push(said["groups"][0]["value"].clone());
    }
    values
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_client_and_engine_tell_of_counts_once() {
    let client = shared().await.new_project();
    let end = now_nanos() - 30 * MINUTE;
    let outer = call(end, 0.1);
    let inner = outer
        .child("inner")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.response.model", "m")
        .attribute("gen_ai.response.time_to_first_chunk", 0.1)
        .attribute("gen_ai.usage.input_tokens", 100);
    let posted = inner.child("POST");
    let told = engine(&posted, 0.3);
    let spans = [outer, inner, posted, told];
    client.accept_traces(&export(&spans)).await;
    client.trace_with_spans(spans[0].trace_id(), 4).await;
    let series = [
        "request.count:count",
        "token.input_tokens:sum",
        "token.ttft_ms:max",
        "token.queue_ms:avg",
        "token.queue_ms:count",
    ];
    let found = values(&client, end, &series).await;
    // What a client measured goes before what its engine did; what it cannot know its engine tells.
    assert_eq!(found, [1.0, 100.0, 100.0, 250.0, 1.0].map(Value::from));

    // An engine that no client tells of is a call of its own, and so is one in a trace of other things.
    let end = now_nanos() - 90 * MINUTE;
    let agent = client_call(end).field("attributes", json!([]));
    let alone = engine(&agent, 0.3);
    client.accept_traces(&export([&agent, &alone])).await;
    let plain = client_call(end);
    client.accept_traces(&export([&plain])).await;
    client.trace_with_spans(alone.trace_id(), 2).await;
    client.trace_with_spans(plain.trace_id(), 1).await;
    let found = values(&client, end, &series).await;
    assert_eq!(found, [2.0, 200.0, 300.0, 250.0, 1.0].map(Value::from));
}
