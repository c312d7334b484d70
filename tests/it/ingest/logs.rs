//! Log records: taken, kept, and found again among the events of their spans, whichever came first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use prost::Message;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, export_logs, log_record};
use tests::{ProjectClient, eventually, shared};

use super::{field, log_ids};

const PROTOBUF: &str = "application/x-protobuf";

/// Log records by trace.
type Counts = BTreeMap<String, usize>;

#[tokio::test(flavor = "multi_thread")]
async fn every_captured_record_is_found_again_whichever_signal_came_first() {
    let server = shared().await;
    let mut records = 0;
    for case in cases() {
        let (first, last) = (server.new_project(), server.new_project());
        let (logs, traces) = (files(&case, "logs"), files(&case, "traces"));
        let counts = counts(&logs);
        for (project, order) in [(&first, [&logs, &traces]), (&last, [&traces, &logs])] {
            for (path, body) in order.into_iter().flatten() {
                accept(project, path, body.clone()).await;
            }
        }
        // An export that is sent again changes nothing.
        for (path, body) in &logs {
            accept(&last, path, body.clone()).await;
        }
        for (trace, count) in counts {
            eventually(&format!("{case} {trace} is one picture"), async || {
                let one = trace_with_logs(&first, &trace, count).await;
                let other = trace_with_logs(&last, &trace, count).await;
                if one["spans"] == other["spans"] {
                    Ok(())
                } else {
                    Err((one["span_count"].clone(), other["span_count"].clone()))
                }
            })
            .await;
            records += count;
        }
    }
    assert!(records > 60, "only {records} records");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_in_records_is_the_content_of_the_call() {
    let server = shared().await;
    let mut checked = 0;
    for case in [
        "agent_framework",
        "otelgenai_openai_v2_default_chat",
        "otelgenai_anthropic",
        "semantic_kernel",
    ] {
        let project = server.new_project();
        for signal in ["traces", "logs"] {
            for (path, body) in files(case, signal) {
                accept(&project, &path, body).await;
            }
        }
        let text = std::fs::read(folder().join(format!("{case}.json"))).unwrap();
        let description: Value = serde_json::from_slice(&text).unwrap();
        for call in description["expect"]["llm_calls"].as_array().unwrap() {
            let said = call["output_text"].as_str().unwrap_or_default();
            if call["span"]["relation"] != "records this call" || said.is_empty() {
                continue;
            }
            let trace = call["span"]["trace_id"].as_str().unwrap();
            let id = &call["span"]["span_id"];
            eventually(&format!("{case}: {said}"), async || {
                let answer = project.get(&format!("/api/v1/traces/{trace}")).await;
                let trace: Value = answer.json().await.unwrap();
                let span = spans(&trace)
                    .into_iter()
                    .find(|span| span["span_id"] == *id);
                let output = span.map(|span| span["output"].to_string());
                match output {
                    Some(output) if output.contains(said) => Ok(()),
                    other => Err(other),
                }
            })
            .await;
            checked += 1;
        }
    }
    assert!(checked >= 8, "only {checked} calls");
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_as_span_events_and_as_log_events_give_the_same_picture() {
    let client = shared().await.new_project();
    let chat = || SpanBuilder::root("chat m").attribute("gen_ai.operation.name", "chat");
    let text = |text: &str| json!({ "stringValue": text });
    let event = |name: &str, key: &str, value: &str| json!({ "name": name, "timeUnixNano": "1", "attributes": [{ "key": key, "value": text(value) }] });
    let said = r#"{"content":"Hello"}"#;
    let events = json!([
        event("gen_ai.user.message", "content", "Hi"),
        event("gen_ai.choice", "message", said),
    ]);
    let by_events = chat().field("events", events);
    let by_logs = chat();
    let map = |key: &str, value: Value| json!({ "kvlistValue": { "values": [{ "key": key, "value": value }] } });
    let records = [
        log_record(&by_logs, "gen_ai.user.message", map("content", text("Hi"))),
        log_record(
            &by_logs,
            "gen_ai.choice",
            map("message", map("content", text("Hello"))),
        ),
    ];
    client.accept_logs(&export_logs(&records)).await;
    client.accept_traces(&export([&by_events, &by_logs])).await;
    let events = client.trace_with_spans(by_events.trace_id(), 1).await;
    let logs = trace_with_logs(&client, by_logs.trace_id(), 2).await;
    for side in ["input", "output", "kind"] {
        let (one, other) = (&events["spans"][0][side], &logs["spans"][0][side]);
        assert!(!one.is_null());
        assert_eq!(one, other, "{side}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_without_span_joins_the_root_or_the_span_of_its_answer() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let call = root.child("call").attribute("gen_ai.response.id", "r1");
    client.accept_traces(&export([&root, &call])).await;
    let mut of_trace = log_record(&root, "of the trace", json!({}));
    let mut of_answer = log_record(&root, "of the answer", json!({}));
    of_trace["spanId"] = Value::Null;
    of_answer["spanId"] = Value::Null;
    of_answer["attributes"] =
        json!([{ "key": "gen_ai.response.id", "value": { "stringValue": "r1" } }]);
    client
        .accept_logs(&export_logs(&[of_trace, of_answer]))
        .await;
    let trace = trace_with_logs(&client, root.trace_id(), 2).await;
    for span in spans(&trace) {
        let name = if span["name"] == "root" {
            "of the trace"
        } else {
            "of the answer"
        };
        assert_eq!(span["events"][0]["name"], name, "{span}");
        assert_eq!(span["events"][0]["source"], "log");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn records_without_or_with_bad_ids_are_taken_and_those_of_other_signals_are_not() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("span");
    let mut bad = log_record(&span, "bad span id", json!({ "intValue": "1" }));
    bad["spanId"] = json!("abcd");
    let none = json!({ "severityNumber": "SEVERITY_NUMBER_WARN2" });
    client.accept_logs(&export_logs(&[bad, none])).await;
    client.accept_traces(&export([&span])).await;
    let trace = trace_with_logs(&client, span.trace_id(), 1).await;
    let event = &trace["spans"][0]["events"][0];
    assert_eq!(event["attributes"]["body"], 1, "{event}");
    let metrics = client.get("/metrics").await.text().await.unwrap();
    assert!(metrics.contains("triaxis_ingest_bad_log_ids_total"));

    let body = super::request(&[super::ids(&span)]);
    for path in ["/v1/logs", "/api/public/otel/v1/logs"] {
        let answer = client.send_body(path, body.clone(), PROTOBUF).await;
        assert_eq!(
            answer.status(),
            StatusCode::BAD_REQUEST,
            "a span is no record"
        );
    }
    let traces = serde_json::to_vec(&export([&span])).unwrap();
    let answer = client.send_body("/v1/logs", traces, "application/json");
    assert_eq!(answer.await.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_encodings_mean_the_same() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("span");
    let time = 1_790_000_000_000_000_123u64;
    let record = json!({
        "traceId": span.trace_id(), "spanId": span.span_id(), "observedTimeUnixNano": time.to_string(),
        "severityText": "INFO", "eventName": "e", "body": { "stringValue": "x" },
    });
    client.accept_logs(&export_logs(&[record])).await;
    let as_protobuf = [
        field(3, b"INFO"),
        field(5, &field(1, b"x")),
        log_ids(&span),
        [&[11 << 3 | 1], &time.to_le_bytes()[..]].concat(),
        field(12, b"e"),
    ];
    let pair = |key: &[u8], text: &[u8]| {
        let value = field(2, &field(1, text));
        field(1, &[field(1, key), value].concat())
    };
    let resource = field(1, &pair(b"service.name", b"demo"));
    let scope = field(1, &field(1, b"tests"));
    let records = field(2, &[scope, field(2, &as_protobuf.concat())].concat());
    let body = field(1, &[resource, records].concat());
    accept(&client, "/v1/logs", body).await;
    client.accept_traces(&export([&span])).await;
    // The same record twice is one.
    let trace = trace_with_logs(&client, span.trace_id(), 1).await;
    let event = &trace["spans"][0]["events"][0];
    assert_eq!(
        event["attributes"],
        json!({ "body": "x", "severity": "INFO" })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn records_stay_in_their_project_and_go_with_their_trace() {
    let server = shared().await;
    let (one, two) = (server.new_project(), server.new_project());
    let span = SpanBuilder::root("span");
    let body = json!({ "stringValue": "a secret" });
    let logs = export_logs(&[log_record(&span, "e", body)]);
    for client in [&one, &two] {
        client.accept_traces(&export([&span])).await;
    }
    one.accept_logs(&logs).await;
    trace_with_logs(&one, span.trace_id(), 1).await;
    let other = two.trace_with_spans(span.trace_id(), 1).await;
    assert_eq!(log_events(&other), 0);
    two.accept_logs(&logs).await;
    trace_with_logs(&two, span.trace_id(), 1).await;

    let path = format!("/api/v1/traces/{}", span.trace_id());
    let deleted = one.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    one.accept_traces(&export([&span])).await;
    let again = one.trace_with_spans(span.trace_id(), 1).await;
    assert_eq!(log_events(&again), 0);
    trace_with_logs(&two, span.trace_id(), 1).await;
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/otlp")
}

/// Cases that have log records.
fn cases() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap();
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut cases: Vec<String> = names
        .filter_map(|name| Some(name.split_once(".logs.")?.0.to_owned()))
        .collect();
    cases.sort();
    cases.dedup();
    assert!(cases.len() >= 9, "{cases:?}");
    cases
}

/// Path and body of the requests of one signal.
fn files(case: &str, signal: &str) -> Vec<(String, Vec<u8>)> {
    let prefix = format!("{case}.{signal}.");
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with(&prefix) && name.ends_with(".pb")
        })
        .collect();
    names.sort();
    let read = |path: PathBuf| (format!("/v1/{signal}"), std::fs::read(path).unwrap());
    names.into_iter().map(read).collect()
}

fn counts(logs: &[(String, Vec<u8>)]) -> Counts {
    let mut counts = Counts::new();
    for (_, body) in logs {
        let request = ExportLogsServiceRequest::decode(&**body).unwrap();
        let scopes = request
            .resource_logs
            .into_iter()
            .flat_map(|of| of.scope_logs);
        for record in scopes.flat_map(|scope| scope.log_records) {
            let trace: String = record
                .trace_id
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            *counts.entry(trace).or_default() += 1;
        }
    }
    counts
}

async fn accept(project: &ProjectClient, path: &str, body: Vec<u8>) {
    let answer = project.send_body(path, body, PROTOBUF).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    assert!(
        answer.bytes().await.unwrap().is_empty(),
        "{path}: all of it"
    );
}

async fn trace_with_logs(project: &ProjectClient, trace_id: &str, logs: usize) -> Value {
    eventually(&format!("{logs} records of {trace_id}"), async || {
        let answer = project.get(&format!("/api/v1/traces/{trace_id}")).await;
        if !answer.status().is_success() {
            return Err(0);
        }
        let trace: Value = answer.json().await.unwrap();
        match log_events(&trace) {
            found if found == logs => Ok(trace),
            found => Err(found),
        }
    })
    .await
}

fn log_events(trace: &Value) -> usize {
    let spans = spans(trace);
    let events = spans
        .iter()
        .flat_map(|span| span["events"].as_array().unwrap());
    events.filter(|event| event["source"] == "log").count()
}

/// The spans of a trace in one list.
fn spans(trace: &Value) -> Vec<&Value> {
    let mut all: Vec<&Value> = trace["spans"].as_array().into_iter().flatten().collect();
    let mut at = 0;
    while at < all.len() {
        all.extend(all[at]["children"].as_array().into_iter().flatten());
        at += 1;
    }
    all
}
