//! Spans that no exporter should send: each gives a sound result or a clear refusal, costs no
//! other span, and does no harm to what comes after.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, shared};

use super::{a_normal_span_passes, field, ids, request};

const PROTOBUF: &str = "application/x-protobuf";

async fn answer_of(client: &ProjectClient, body: &Value) -> Value {
    let answer = client.send_traces(body).await;
    assert!(answer.status().is_success(), "{}", answer.status());
    answer.json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_ids_cost_their_own_span_only_and_the_sender_is_told() {
    let client = shared().await.new_project();
    let good = SpanBuilder::root("good");
    let bad = [
        SpanBuilder::root("short").field("traceId", "abcd"),
        SpanBuilder::root("zero").field("spanId", "0000000000000000"),
        SpanBuilder::root("none").field("spanId", Value::Null),
        SpanBuilder::root("base64").field("traceId", "CvdlGRbNQ92ESOshHIAxnA=="),
    ];
    let answer = answer_of(&client, &export(bad.iter().chain([&good]))).await;
    assert_eq!(answer["partialSuccess"]["rejectedSpans"], "4", "{answer}");
    assert!(
        answer["partialSuccess"]["errorMessage"]
            .as_str()
            .unwrap()
            .contains("traceId")
    );
    client.trace_with_spans(good.trace_id(), 1).await;
    let answer = client.send_traces(&export([&bad[0]])).await;
    assert_eq!(answer.status(), reqwest::StatusCode::BAD_REQUEST);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_attributes_are_kept() {
    let client = shared().await.new_project();
    let mut span = SpanBuilder::root("many attributes");
    for number in 0..10_000 {
        span = span.attribute(&format!("key.{number}"), number);
    }
    client.accept_traces(&export([&span])).await;
    let trace = client.trace_with_spans(span.trace_id(), 1).await;
    assert_eq!(trace["spans"][0]["attributes"]["key.9999"], 9_999);
    a_normal_span_passes(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn very_deep_values_cost_only_their_inside() {
    let client = shared().await.new_project();
    for levels in [30, 10_000, 20_000] {
        let deep = SpanBuilder::root("deep");
        let beside = SpanBuilder::root("beside");
        let mut value = vec![0x18, 1];
        for _ in 0..levels {
            value = field(5, &field(1, &value));
        }
        let pair = field(9, &[field(1, b"k"), field(2, &value)].concat());
        let body = request(&[[ids(&deep), pair].concat(), ids(&beside)]);
        let answer = client.send_traces_body(body, PROTOBUF).await;
        assert!(
            answer.status().is_success(),
            "{levels}: {}",
            answer.status()
        );
        client.trace_with_spans(deep.trace_id(), 1).await;
        client.trace_with_spans(beside.trace_id(), 1).await;

        let deep = SpanBuilder::root("deep").attribute("k", json!({"stringValue": "DEEP"}));
        let beside = SpanBuilder::root("beside");
        let nested = format!(
            r#"{{{}"intValue":1{}}}"#,
            r#""arrayValue":{"values":[{"#.repeat(levels),
            "}]}".repeat(levels)
        );
        let body = serde_json::to_string(&export([&deep, &beside])).unwrap();
        let body = body.replace(r#"{"stringValue":"DEEP"}"#, &nested);
        let answer = client
            .send_traces_body(body.into_bytes(), "application/json")
            .await;
        assert!(
            answer.status().is_success(),
            "{levels}: {}",
            answer.status()
        );
        client.trace_with_spans(deep.trace_id(), 1).await;
        client.trace_with_spans(beside.trace_id(), 1).await;
    }
    a_normal_span_passes(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_an_emoji_and_invalid_bytes_read_as_replacement_characters() {
    let client = shared().await.new_project();
    let half = SpanBuilder::root("half").attribute("output.value", "ok HALF");
    let normal: Vec<SpanBuilder> = (0..10).map(|_| SpanBuilder::root("normal")).collect();
    let body = serde_json::to_string(&export(normal.iter().chain([&half]))).unwrap();
    let body = body.replace("HALF", r"\ud83d");
    let answer = client
        .send_traces_body(body.into_bytes(), "application/json")
        .await;
    assert!(answer.status().is_success());
    let trace = client.trace_with_spans(half.trace_id(), 1).await;
    assert_eq!(trace["spans"][0]["output"], "ok \u{fffd}");
    client.trace_with_spans(normal[9].trace_id(), 1).await;

    let (first, second) = (SpanBuilder::root("first"), SpanBuilder::root("second"));
    let value = field(1, b"x\xe4\xbd");
    let pair = field(9, &[field(1, b"k"), field(2, &value)].concat());
    let body = request(&[ids(&first), [ids(&second), pair].concat()]);
    assert!(
        client
            .send_traces_body(body, PROTOBUF)
            .await
            .status()
            .is_success()
    );
    client.trace_with_spans(first.trace_id(), 1).await;
    let trace = client.trace_with_spans(second.trace_id(), 1).await;
    assert_eq!(trace["spans"][0]["attributes"]["k"], "x\u{fffd}");
}

#[tokio::test(flavor = "multi_thread")]
async fn parents_in_a_circle_are_all_shown_once() {
    let client = shared().await.new_project();
    let first = SpanBuilder::root("first");
    let second = first.child("second");
    let first = first.field("parentSpanId", second.span_id());
    client.accept_traces(&export([&first, &second])).await;
    client.trace_with_spans(first.trace_id(), 2).await;
    a_normal_span_passes(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn absurd_years_are_marked_and_leave_the_trace_sound() {
    let client = shared().await.new_project();
    let year_2100: u64 = 4_102_444_800_000_000_000;
    for absurd in [0, 1_000_000_000, 1_750_000_000, year_2100, u64::MAX] {
        let normal = SpanBuilder::root("normal");
        let odd = normal
            .child("odd")
            .field("startTimeUnixNano", absurd.to_string())
            .field("endTimeUnixNano", (now_nanos() - 1_500_000_000).to_string());
        client.accept_traces(&export([&normal, &odd])).await;
        let trace = client.trace_with_spans(normal.trace_id(), 2).await;
        let text = trace.to_string();
        assert!(
            !text.contains("\"1970-") && !text.contains("\"2100-"),
            "{absurd}: {text}"
        );
        assert!(
            trace["latency_ms"].as_f64().unwrap() < 5_000.0,
            "{absurd}: {text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_monstrous_attribute_does_not_hold_up_the_others() {
    let client = shared().await.new_project();
    let monster = SpanBuilder::root("monster").attribute("big", "x".repeat(50 * 1024 * 1024));
    client.accept_traces(&export([&monster])).await;
    let normal: Vec<SpanBuilder> = (0..100).map(|_| SpanBuilder::root("normal")).collect();
    for span in &normal {
        client.accept_traces(&export([span])).await;
    }
    for span in &normal {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    client.trace_with_spans(monster.trace_id(), 1).await;
}
