//! Times that are missing, turned round or absurd.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{Server, Settings, shared};

#[tokio::test(flavor = "multi_thread")]
async fn nanoseconds_as_text_keep_their_microseconds() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("exact")
        .field("startTimeUnixNano", "1750000000123456789")
        .field("endTimeUnixNano", "1750000000623456789")
        .attribute("n", 42);
    client.accept_traces(&export([&span])).await;
    let trace = client.trace_with_spans(span.trace_id(), 1).await;
    let root = &trace["spans"][0];
    assert_eq!(root["start"], "2025-06-15T15:06:40.123456Z");
    assert_eq!(root["latency_ms"], 500.0);
    assert_eq!(root["attributes"]["n"], 42);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_before_the_start_counts_as_no_time_and_spoils_nothing() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("turn");
    let now = now_nanos();
    let backwards = root
        .child("backwards")
        .field("startTimeUnixNano", (now - 1_000_000_000).to_string())
        .field("endTimeUnixNano", (now - 3_000_000_000).to_string());
    client
        .accept_traces(&export([&root, &root.child("good"), &backwards]))
        .await;
    let trace = client.trace_with_spans(root.trace_id(), 3).await;
    let latencies: Vec<&Value> = trace["spans"][0]["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| &s["latency_ms"])
        .collect();
    assert!(latencies.contains(&&Value::from(0.0)) || latencies.contains(&&Value::Null));
    assert!(
        latencies
            .iter()
            .all(|latency| latency.as_f64().unwrap_or(0.0) >= 0.0)
    );
    assert!(trace["latency_ms"].as_f64().unwrap() >= 999.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_of_zero_or_in_seconds_leaves_the_trace_its_times() {
    let client = shared().await.new_project();
    for start in ["0", "1750000000"] {
        let root = SpanBuilder::root("turn");
        let odd = root.child("odd").field("startTimeUnixNano", start);
        let answer = client.send_traces(&export([&root, &odd])).await;
        assert!(answer.status().is_success());
        let refused = answer.text().await.unwrap().contains("rejectedSpans");
        let trace = client
            .trace_with_spans(root.trace_id(), if refused { 1 } else { 2 })
            .await;
        assert!(
            trace["latency_ms"].as_f64().unwrap() < 60_000.0,
            "{}",
            trace["latency_ms"]
        );
        assert!(
            trace["start"].as_str().unwrap() > "2026",
            "{}",
            trace["start"]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_span_has_no_end_and_gets_it_later() {
    let client = shared().await.new_project();
    let ended = SpanBuilder::root("running");
    let open = ended.clone().field("endTimeUnixNano", "0");
    client.accept_traces(&export([&open])).await;
    let trace = client.trace_with_spans(open.trace_id(), 1).await;
    assert_eq!(trace["spans"][0]["end"], Value::Null);
    assert_eq!(trace["spans"][0]["latency_ms"], Value::Null);

    client.accept_traces(&export([&ended])).await;
    tests::eventually("the end", async || {
        let trace = client
            .get_json(&format!("/api/v1/traces/{}", open.trace_id()))
            .await;
        let latency = trace["spans"][0]["latency_ms"].clone();
        if latency == 1000.0 && trace["span_count"] == 1 {
            Ok(())
        } else {
            Err(latency)
        }
    })
    .await;
}

/// C077: where the machine stands in the world changes no instant, no bound and no hour.
#[tokio::test(flavor = "multi_thread")]
async fn the_zone_of_the_machine_changes_no_instant() {
    let settings = Settings::default().with("TZ", "Asia/Seoul");
    let server = Server::start_with(settings).await;
    let client = server.client();
    let span = SpanBuilder::root("night")
        .field("startTimeUnixNano", "1767574800500000000")
        .field("endTimeUnixNano", "1767574801500000000");
    client.accept_traces(&export([&span])).await;
    let trace = client.trace_with_spans(span.trace_id(), 1).await;
    assert_eq!(trace["spans"][0]["start"], "2026-01-05T01:00:00.500000Z");
    let list = "/api/v1/traces?from=2026-01-05T01:00:00Z&to=2026-01-05T01:01:00Z";
    let list = client.get_json(list).await;
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    let question = json!({
        "view": "observations", "metrics": [{"measure": "count", "aggregation": "count"}], "dimensions": [],
        "timeDimension": {"granularity": "hour"}, "filters": [],
        "fromTimestamp": "2026-01-05T00:00:00Z", "toTimestamp": "2026-01-05T03:00:00Z",
    });
    let text = question.to_string();
    let query: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let hours = client
        .get_json(&format!("/api/public/metrics?query={query}"))
        .await;
    let counts = |hours: &Value| -> Vec<(String, u64)> {
        let hour = |row: &Value| {
            let time = row["time_dimension"].as_str().unwrap().to_owned();
            (time, row["count_count"].as_u64().unwrap())
        };
        hours["data"].as_array().unwrap().iter().map(hour).collect()
    };
    let expected = [("00", 0), ("01", 1), ("02", 0)]
        .map(|(hour, count)| (format!("2026-01-05T{hour}:00:00.000Z"), count));
    assert_eq!(counts(&hours), expected);
}
