//! The configuration of a prompt says what is expected of answers, where nothing else does.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, shared};

use super::{Prompts, becomes, event, ingest};

/// Whether the answer of a generation has the expected form; null where nothing is expected.
async fn form(client: &ProjectClient, span: &SpanBuilder) -> Value {
    client.accept_traces(&export([span])).await;
    let trace = client.trace_with_spans(span.trace_id(), 1).await;
    trace["spans"][0]["quality"]["format_valid"]["value"].clone()
}

fn generation(prompt: &str, version: &str, output: &str) -> SpanBuilder {
    SpanBuilder::root("answer")
        .attribute("langfuse.observation.type", "generation")
        .attribute("langfuse.observation.model.name", "m")
        .attribute("langfuse.observation.prompt.name", prompt)
        .attribute("langfuse.observation.prompt.version", version)
        .attribute("langfuse.observation.output", output)
}

/// A prompt whose answers are objects with an `a`.
async fn prompt(client: &ProjectClient, name: &str) {
    let schema = json!({ "type": "object", "required": ["a"] });
    let format = json!({ "type": "json_schema", "json_schema": { "name": "n", "schema": schema } });
    let body = json!({ "name": name, "prompt": "Hello", "config": { "response_format": format } });
    Prompts(client).created(&body).await;
}

#[tokio::test]
async fn a_prompt_counts_where_neither_the_request_nor_a_rule_says_anything() {
    let project = shared().await.new_project();
    prompt(&project, "p").await;
    assert_eq!(
        form(&project, &generation("p", "1", r#"{"a":1}"#)).await,
        true
    );
    assert_eq!(
        form(&project, &generation("p", "1", r#"{"b":1}"#)).await,
        false
    );
    assert_eq!(form(&project, &generation("p", "1", "words")).await, false);
    // Another version, another name, or what is managed elsewhere: nothing is known.
    for (name, version) in [("p", "2"), ("q", "1"), ("p", "latest"), ("", "1")] {
        let unknown = form(&project, &generation(name, version, "words")).await;
        assert_eq!(unknown, Value::Null, "{name} {version}");
    }
    // Not long after it was looked for in vain, it is there.
    prompt(&project, "q").await;
    assert_eq!(form(&project, &generation("q", "1", "words")).await, false);
    let stranger = shared().await.new_project();
    assert_eq!(
        form(&stranger, &generation("p", "1", "words")).await,
        Value::Null
    );
    // The request goes before the prompt.
    let asks = generation("p", "1", r#"{"b":1}"#).attribute(
        "langfuse.observation.model.parameters",
        r#"{"response_format":{"type":"json_object"}}"#,
    );
    assert_eq!(form(&project, &asks).await, true);
    // So does a rule, and before both.
    let rule = json!({ "name": "words", "prompt": "p", "format": "text" });
    let made = project
        .request(Method::POST, "/api/v1/quality-rules")
        .json(&rule);
    assert_eq!(made.send().await.unwrap().status(), StatusCode::CREATED);
    // Words have no form that could be wrong.
    assert_eq!(
        form(&project, &generation("p", "1", "words")).await,
        Value::Null
    );
}

#[tokio::test]
async fn observations_of_older_clients_are_held_against_their_prompt_too() {
    let project = shared().await.new_project();
    prompt(&project, "p").await;
    let body = json!({
        "id": "g", "traceId": "t", "name": "answer", "model": "m", "output": "words",
        "promptName": "p", "promptVersion": 1,
    });
    ingest(&project, &[event(1, 1, "generation-create", &body)]).await;
    becomes(&project, "/traces/t", |trace| {
        trace["observations"][0]["id"] == "g"
    })
    .await;
    let trace = project.trace_with_spans("t", 1).await;
    assert_eq!(trace["spans"][0]["quality"]["format_valid"]["value"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_arrives_does_not_wait_for_a_postgres_that_hangs() {
    let server = Server::start().await;
    let client = server.client();
    prompt(&client, "p").await;
    assert_eq!(form(&client, &generation("p", "1", "words")).await, false);
    server.freeze("postgres");
    let begun = Instant::now();
    for number in 0..5 {
        let span = generation(&format!("unknown-{number}"), "1", "words");
        client.accept_traces(&export([&span])).await;
    }
    let took = begun.elapsed();
    server.thaw("postgres");
    assert!(took < Duration::from_secs(25), "{took:?}");
}
