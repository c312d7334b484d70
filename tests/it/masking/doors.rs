//! A mark is sent through every door, and looked for in both stores and in the files.

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, export_logs, log_record, now_nanos};
use tests::{ProjectClient, Server, eventually};

use super::{send, set};
use crate::deletions::everywhere::{in_clickhouse, in_files, in_postgres, stores};
use crate::deletions::project;
use crate::langfuse::{becomes, event, found, ingest};

const MARK: &str = "zqm7731";
const EMAIL: &str = "zqm7731@example.com";
const KEY: &str = "sk-zqm7731abcdefghijklmnop12";
const PHONE: &str = "13877317731";

/// A text with all of it, once with an escape.
fn text() -> String {
    format!(r"I am {EMAIL} (zqm7731\u0040example.org), call {PHONE} or use {KEY}.")
}

/// Everything that can be sent; the trace that came over OTLP.
async fn plant(client: &ProjectClient) -> String {
    let messages = json!([{"role": "system", "content": text()}, {"role": "user", "content": text()},
        {"role": "user", "content": [{"type": "text", "text": "zqm77"}, {"type": "text", "text": "31@example.com"}]},
        {"number": 13_877_317_731_i64}]);
    let root = SpanBuilder::root(&format!("chat {EMAIL}"))
        .attribute("user.id", EMAIL)
        .attribute("session.id", EMAIL)
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "m")
        .attribute("gen_ai.input.messages", messages.to_string())
        .attribute("gen_ai.output.messages", messages.to_string())
        .attribute("gen_ai.tool.definitions", messages.to_string())
        .attribute("langfuse.trace.metadata.note", text())
        .attribute("langfuse.trace.tags", json!([EMAIL]).to_string())
        .attribute(EMAIL, "a key");
    let old = root
        .child("old")
        .attribute("llm.input_messages.0.message.content", text())
        .attribute("output.value", text());
    client.accept_traces(&export([&root, &old])).await;
    let body =
        json!({"kvlistValue": {"values": [{"key": "said", "value": {"stringValue": text()}}]}});
    let mut outside = log_record(&root, "", json!({"stringValue": text()}));
    for field in ["traceId", "spanId"] {
        outside.as_object_mut().unwrap().remove(field);
    }
    let logs = [log_record(&root, "gen_ai.user.message", body), outside];
    client.accept_logs(&export_logs(&logs)).await;
    older(client).await;
    let at = domain::Timestamp::from_unix_nanos(now_nanos())
        .unwrap()
        .to_string();
    let events = json!([{"id": "e", "type": "ticket", "at": at, "user_id": EMAIL,
        "attributes": {"note": text(), "phone": 13_877_317_731_i64}}]);
    let (status, said) = send(client, Method::POST, "/api/v1/business-events", &events).await;
    assert!(status.is_success(), "{said}");
    root.trace_id().to_owned()
}

/// What older clients send.
async fn older(client: &ProjectClient) {
    let trace = json!({"id": "lf", "name": text(), "userId": EMAIL, "sessionId": EMAIL, "input": text(),
        "output": {"deep": [text(), 13_877_317_731_i64]}, "metadata": {"note": text()}, "tags": [EMAIL]});
    let step = json!({"id": "lf-step", "traceId": "lf", "name": "step", "input": [{"role": "user", "content": text()}],
        "output": text(), "statusMessage": text(), "modelParameters": {"stop": EMAIL}});
    let score = json!({"id": "lf-score", "traceId": "lf", "name": "n", "value": 1, "comment": text(),
        "metadata": {"note": text()}});
    ingest(
        client,
        &[
            event(1, 1, "trace-create", &trace),
            event(2, 2, "span-create", &step),
            event(3, 3, "score-create", &score),
        ],
    )
    .await;
    let alone = json!({"id": "lf-alone", "traceId": "lf", "name": "words", "value": EMAIL, "comment": text()});
    let (status, said) = send(client, Method::POST, "/api/public/scores", &alone).await;
    assert!(status.is_success(), "{said}");
    let single = json!({"id": "lf-single", "name": "single", "input": text()});
    let (status, said) = send(client, Method::POST, "/api/public/traces", &single).await;
    assert!(status.is_success(), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_masked_is_stored_nowhere() {
    let server = Server::start().await;
    let (member, admin) = project(&server);
    set(&admin, &json!({"preset": "personal_data_and_secrets"})).await;
    let trace = plant(&member).await;
    // Before the writer has all of it: the spool, too.
    for mark in [MARK, PHONE] {
        let hits = in_files(&server.data_dir().join("spool"), mark.as_bytes());
        assert_eq!(hits, Vec::<String>::new());
    }
    let shown = member.trace_with_spans(&trace, 2).await.to_string();
    for mark in ["[EMAIL]", "[CN_MOBILE]", "[SECRET]", "[EMAIL:"] {
        assert!(shown.contains(mark), "{mark}: {shown}");
    }
    becomes(&member, "/traces/lf", |_| true).await;
    becomes(&member, "/observations/lf-step", |_| true).await;
    becomes(&member, "/traces/lf-single", |_| true).await;
    eventually("scores are stored", async || {
        let scores = found(&member, "/v2/scores?limit=100").await.to_string();
        let there = ["lf-score", "lf-alone"].map(|id| scores.contains(id));
        there.iter().all(|there| *there).then_some(()).ok_or(scores)
    })
    .await;
    let counts = eventually("counts are written down", async || {
        let shown = admin.get_json("/api/v1/masking").await;
        let counts = shown["counts"].as_array().unwrap().clone();
        (counts.len() >= 3)
            .then_some(counts)
            .ok_or(shown.to_string())
    })
    .await;
    assert!(
        counts
            .iter()
            .all(|count| count["found"].as_u64().unwrap() > 0)
    );

    let (mut postgres, clickhouse) = stores(&server).await;
    for mark in [MARK, "ZQM7731", PHONE] {
        assert_eq!(
            in_postgres(&mut postgres, mark).await,
            Vec::<String>::new(),
            "{mark}"
        );
        assert_eq!(
            in_clickhouse(&clickhouse, mark).await,
            Vec::<String>::new(),
            "{mark}"
        );
        let hits = in_files(server.data_dir(), mark.as_bytes());
        assert_eq!(hits, Vec::<String>::new(), "{mark}");
    }
    assert!(
        !in_clickhouse(&clickhouse, "[EMAIL]").await.is_empty(),
        "the test looks where it is"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_derived_of_a_text_is_derived_of_what_is_stored() {
    let server = tests::shared().await;
    let (plain, _) = project(server);
    let (masked, admin) = project(server);
    set(&admin, &json!({"detectors": ["email"]})).await;
    let span = |said: &str| {
        let messages = json!([{"role": "system", "content": said}]);
        SpanBuilder::root("chat")
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.request.model", "m")
            .attribute("gen_ai.input.messages", messages.to_string())
    };
    // The same digests as if the mark had been sent.
    let (sent, mark) = (span("Ask ada@example.com first"), span("Ask [EMAIL] first"));
    masked.accept_traces(&export([&sent])).await;
    plain.accept_traces(&export([&mark])).await;
    let context = |shown: &Value| shown["spans"][0]["context"].clone();
    let sent = context(&masked.trace_with_spans(sent.trace_id(), 1).await);
    let mark = context(&plain.trace_with_spans(mark.trace_id(), 1).await);
    assert_eq!(sent, mark);
}
