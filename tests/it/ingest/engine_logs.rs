//! Lines of engines, and records of whole calls: at the span of their request, whichever came first.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, export_logs, log_record, now_nanos};
use tests::{ProjectClient, eventually, shared};

/// A line outside of any trace, a second and a half ago.
fn line(text: &str) -> Value {
    let time = (now_nanos() - 1_500_000_000).to_string();
    json!({"timeUnixNano": time, "body": {"stringValue": text}})
}

/// The span of that name, once it is as `is` says: read with its trace.
async fn span(
    client: &ProjectClient,
    (trace, name): (&str, &str),
    is: impl Fn(&Value) -> bool,
) -> Value {
    eventually(&format!("{name} is whole"), async || {
        let answer = client.get(&format!("/api/v1/traces/{trace}")).await;
        let answer: Value = answer.json().await.unwrap();
        let mut left: Vec<&Value> = answer["spans"].as_array().into_iter().flatten().collect();
        while let Some(span) = left.pop() {
            if span["name"] == name && is(span) {
                return Ok(span.clone());
            }
            left.extend(span["children"].as_array().into_iter().flatten());
        }
        Err(answer)
    })
    .await
}

fn events(span: &Value) -> Vec<&Value> {
    let events = span["events"].as_array().into_iter().flatten();
    events.map(|event| &event["attributes"]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_outside_of_traces_join_the_span_of_their_request() {
    let client = shared().await.new_project();
    let id = format!("chatcmpl-{}", now_nanos());
    let call = SpanBuilder::root("chat").attribute("gen_ai.response.id", id.as_str());
    let engine = call
        .child("llm_request")
        .attribute("gen_ai.request.id", format!("{id}-7").as_str())
        .attribute("gen_ai.usage.prompt_tokens", 3)
        .attribute("gen_ai.latency.e2e", 0.5);
    let other = call.child("tool");
    let received = format!(
        "INFO 10-02 13:00:42 [logger.py:36] Received request {id}-7: prompt: 'Hi', params: \
         SamplingParams(n=1, max_tokens=200, min_tokens=0), prompt_token_ids: [1, 2, 3], lora_request: None."
    );
    let added = format!("INFO 10-02 13:00:42 [async_llm.py:9] Added request {id}-a8a65d16.");
    let records = [
        line(&received),
        line(&added),
        line("INFO 10-02 13:00:42 [async_llm.py:9] Added request chatcmpl-of-another."),
        line(&format!("somebody talks about {id}")),
    ];
    client.accept_logs(&export_logs(&records)).await;
    client
        .accept_traces(&export([&call, &engine, &other]))
        .await;
    let trace = call.trace_id();
    let of_engine = span(&client, (trace, "llm_request"), |span| {
        events(span).len() == 1
    });
    let of_engine = of_engine.await;
    let told = events(&of_engine)[0];
    assert_eq!(told["body"], received, "the line itself is as it came");
    for (key, value) in [
        ("backend", json!("vllm")),
        ("event", json!("received")),
        ("request_id", json!(format!("{id}-7"))),
        ("input_tokens", json!(3)),
        ("max_tokens", json!(200)),
    ] {
        assert_eq!(told[format!("llm.engine.{key}")], value, "{told}");
    }
    let of_call = span(&client, (trace, "chat"), |span| events(span).len() == 1).await;
    assert_eq!(events(&of_call)[0]["llm.engine.event"], "added");
    let of_other = span(&client, (trace, "tool"), |_| true).await;
    assert!(events(&of_other).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_a_whole_call_counts_for_its_span_whichever_came_first() {
    let client = shared().await.new_project();
    for logs_first in [true, false] {
        let bare = SpanBuilder::root("call");
        let mut details = log_record(
            &bare,
            "gen_ai.client.inference.operation.details",
            Value::Null,
        );
        let text = |key: &str, value: &str| json!({"key": key, "value": {"stringValue": value}});
        let count =
            |key: &str, value: u64| json!({"key": key, "value": {"intValue": value.to_string()}});
        details["attributes"] = json!([
            text("gen_ai.operation.name", "chat"),
            text("gen_ai.provider.name", "openai"),
            text("gen_ai.request.model", "gpt-4o"),
            text("gen_ai.response.model", "gpt-4o-2024-08-06"),
            text("gen_ai.response.id", "r1"),
            {"key": "gen_ai.response.finish_reasons", "value": {"arrayValue": {"values": [{"stringValue": "stop"}]}}},
            count("gen_ai.usage.input_tokens", 1_000),
            count("gen_ai.usage.output_tokens", 10),
        ]);
        let (logs, traces) = (export_logs(&[details]), export([&bare]));
        if logs_first {
            client.accept_logs(&logs).await;
            client.accept_traces(&traces).await;
        } else {
            client.accept_traces(&traces).await;
            client.accept_logs(&logs).await;
        }
        let whole = span(&client, (bare.trace_id(), "call"), |span| {
            events(span).len() == 1
        });
        let whole = whole.await;
        assert_eq!(whole["kind"], "generation", "{whole}");
        assert_eq!(whole["request_model"], "gpt-4o");
        assert_eq!(whole["response_model"], "gpt-4o-2024-08-06");
        assert_eq!(whole["finish_reasons"], json!(["stop"]));
        assert_eq!(whole["usage"]["input_tokens"], 1_000);
        assert_eq!(whole["usage"]["output_tokens"], 10);
        assert_eq!(whole["cost"]["total"], "0.0026", "{}", whole["cost"]);
    }
}
