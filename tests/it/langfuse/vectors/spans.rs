//! Spans over OTLP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::super::{becomes, read};

const OTLP: &str = "/api/public/otel/v1/traces";

/// A span as an observation; spans of one batch may be told apart by nothing but their ids.
async fn observed(client: &ProjectClient, span: &SpanBuilder, request: &Value) -> Value {
    client.accept_traces(request).await;
    becomes(client, &format!("/observations/{}", span.span_id()), |_| {
        true
    })
    .await
}

async fn alone(client: &ProjectClient, span: &SpanBuilder) -> Value {
    observed(client, span, &export([span])).await
}

#[tokio::test]
async fn types_follow_from_what_a_span_tells() {
    let client = shared().await.new_project();
    let call = SpanBuilder::root("call").attribute("gen_ai.request.model", "none-such");
    assert_eq!(alone(&client, &call).await["type"], "GENERATION");
    let agent = SpanBuilder::root("agent")
        .attribute("gen_ai.request.model", "none-such")
        .attribute("gen_ai.operation.name", "invoke_agent")
        .attribute("gen_ai.usage.input_tokens", 100)
        .attribute("gen_ai.usage.output_tokens", 20);
    let agent = alone(&client, &agent).await;
    assert_eq!(agent["type"], "AGENT");
    // As it was told; what is counted is counted once.
    assert_eq!(agent["model"], "none-such");
    let expected = json!({"input": 100, "output": 20, "total": 120});
    assert_eq!(agent["usageDetails"], expected);
}

#[tokio::test]
async fn parts_of_usage_are_taken_out_of_the_whole() {
    let client = shared().await.new_project();
    let call = SpanBuilder::root("call")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.usage.input_tokens", 100)
        .attribute("gen_ai.usage.cache_read.input_tokens", 40)
        .attribute("gen_ai.usage.output_tokens", 20)
        .attribute("gen_ai.usage.reasoning.output_tokens", 5);
    let expected = json!({
        "input": 60, "input_cached_tokens": 40, "output": 15, "output_reasoning_tokens": 5, "total": 120,
    });
    assert_eq!(alone(&client, &call).await["usageDetails"], expected);
}

#[tokio::test]
async fn messages_are_read_from_attributes_and_events() {
    let client = shared().await.new_project();
    let flat = || {
        SpanBuilder::root("call")
            .attribute("openinference.span.kind", "LLM")
            .attribute("llm.input_messages.0.message.role", "user")
            .attribute("llm.input_messages.0.message.content", "hi")
    };
    let observation = alone(&client, &flat()).await;
    assert_eq!(observation["type"], "GENERATION");
    assert_eq!(
        observation["input"],
        json!([{"role": "user", "content": "hi"}])
    );
    let both = flat().attribute("input.value", "whole");
    assert_eq!(
        alone(&client, &both).await["input"],
        json!([{"role": "user", "content": "hi"}])
    );
    let whole = SpanBuilder::root("call")
        .attribute("openinference.span.kind", "LLM")
        .attribute("input.value", "whole");
    assert_eq!(alone(&client, &whole).await["input"], "whole");

    let at = tests::builders::now_nanos().to_string();
    let told = |name: &str, key: &str, value: &str| {
        let attributes = json!([{"key": key, "value": {"stringValue": value}}]);
        json!({"timeUnixNano": at, "name": name, "attributes": attributes})
    };
    let events = json!([
        told("gen_ai.user.message", "content", "hi"),
        told("gen_ai.choice", "message", "hello"),
    ]);
    let span = SpanBuilder::root("call")
        .attribute("gen_ai.operation.name", "chat")
        .field("events", events);
    let observation = alone(&client, &span).await;
    assert_eq!(
        observation["input"],
        json!([{"role": "user", "content": "hi"}]),
        "{observation}"
    );
    let output = observation["output"].to_string();
    assert!(output.contains("hello"), "{output}");
}

#[tokio::test]
async fn an_answer_of_the_ai_sdk_has_its_text_and_its_calls() {
    let client = shared().await.new_project();
    let calls = json!([{"toolCallId": "1", "toolName": "weather", "input": "{}"}]);
    let span = SpanBuilder::root("ai.generateText.doGenerate")
        .attribute("operation.name", "ai.generateText.doGenerate")
        .attribute("gen_ai.request.model", "none-such")
        .attribute("ai.response.text", "Let me see.")
        .attribute("ai.response.toolCalls", calls.to_string());
    let mut request = export([&span]);
    request["resourceSpans"][0]["scopeSpans"][0]["scope"]["name"] = json!("ai");
    let observation = observed(&client, &span, &request).await;
    let output = &observation["output"][0];
    assert_eq!(
        (&output["role"], &output["content"]),
        (&json!("assistant"), &json!("Let me see.")),
        "{observation}"
    );
    assert_eq!(output["tool_calls"], calls, "{output}");
}

#[tokio::test]
async fn a_level_that_is_told_goes_before_the_status() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("step")
        .attribute("langfuse.observation.level", "warn")
        .field("status", json!({"code": 2}));
    assert_eq!(alone(&client, &span).await["level"], "WARNING");
}

#[tokio::test]
async fn a_resource_tells_the_environment() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("step");
    let mut request = export([&span]);
    let attributes = &mut request["resourceSpans"][0]["resource"]["attributes"];
    attributes
        .as_array_mut()
        .unwrap()
        .push(json!({"key": "deployment.environment.name", "value": {"stringValue": "Staging"}}));
    let observation = observed(&client, &span, &request).await;
    assert_eq!(observation["environment"], "staging");
}

#[tokio::test]
async fn a_trace_is_there_though_its_root_never_comes() {
    let client = shared().await.new_project();
    let child = SpanBuilder::root("root")
        .child("child")
        .attribute("langfuse.trace.name", "front");
    client.accept_traces(&export([&child])).await;
    let path = format!("/traces/{}", child.trace_id());
    assert_eq!(becomes(&client, &path, |_| true).await["name"], "front");
}

#[tokio::test]
async fn what_cannot_be_read_is_told_as_otlp_says() {
    let client = shared().await.new_project();
    let request = client.request(Method::POST, OTLP);
    let request = request.header("content-type", "text/plain").body("x");
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let told: Value = answer.json().await.unwrap();
    assert!(told["message"].is_string(), "{told}");

    let request = client.request(Method::POST, OTLP);
    let request = request.header("content-type", "application/json").body("{");
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);

    let good = SpanBuilder::root("good");
    let numbered = good.child("numbered").field("traceId", 12);
    let request = client.request(Method::POST, OTLP);
    let answer = request.json(&export([&good, &numbered])).send().await;
    let told: Value = answer.unwrap().json().await.unwrap();
    assert_eq!(told["partialSuccess"]["rejectedSpans"], "1", "{told}");
    let path = format!("/observations/{}", good.span_id());
    becomes(&client, &path, |_| true).await;
    let path = format!("/observations/{}", numbered.span_id());
    assert_eq!(read(&client, &path).await.status, StatusCode::NOT_FOUND);
}
