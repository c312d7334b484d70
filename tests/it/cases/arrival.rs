//! The order in which things arrive, and how often: nothing of it changes what they come to. By the older way to
//! send, and read by the API of Langfuse's clients.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, eventually, shared};

use crate::langfuse::{becomes, escaped, event, found, ingest, read};

/// What metrics say of calls of models, by model.
async fn of_models(client: &ProjectClient) -> Value {
    let query = json!({
        "view": "observations", "dimensions": [{"field": "providedModelName"}],
        "metrics": [
            {"measure": "count", "aggregation": "count"},
            {"measure": "totalTokens", "aggregation": "sum"},
            {"measure": "totalCost", "aggregation": "sum"},
        ],
        "filters": [{"type": "stringOptions", "column": "type", "operator": "any of", "value": ["GENERATION"]}],
        "fromTimestamp": "2026-01-01T00:00:00Z", "toTimestamp": "2100-01-01T00:00:00Z",
    });
    found(client, &format!("/metrics?query={}", escaped(&query))).await["data"].clone()
}

fn number(value: &Value) -> f64 {
    let text = value.as_str().map(|text| text.parse().unwrap());
    text.or(value.as_f64())
        .unwrap_or_else(|| panic!("no number: {value}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn c009_a_resent_export_counts_and_costs_once_in_every_list() {
    let server = Server::start().await;
    let client = server.client();
    let root = SpanBuilder::root("chat.turn");
    let call = root
        .child("call")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.response.model", "gpt-4o")
        .attribute("gen_ai.usage.input_tokens", 10)
        .attribute("gen_ai.usage.output_tokens", 5);
    let body = export([&root, &call]);
    client.accept_traces(&body).await;
    client.accept_traces(&body).await;
    client.trace_with_spans(root.trace_id(), 2).await;
    assert_eq!(server.stop(), Some(0));
    server.start_again().await;
    client.accept_traces(&body).await;
    // What was sent after it is there: so is all before.
    let marker = SpanBuilder::root("marker");
    client.accept_traces(&export([&marker])).await;
    client.trace_with_spans(marker.trace_id(), 1).await;

    // 10 × 2.5 and 5 × 10 millionths.
    let cost = 0.000_075;
    let trace = found(&client, &format!("/traces/{}", root.trace_id())).await;
    assert_eq!(trace["observations"].as_array().unwrap().len(), 2);
    assert_eq!(trace["totalCost"].as_f64(), Some(cost), "{trace}");
    let listed = found(&client, "/observations").await;
    assert_eq!(listed["meta"]["totalItems"], 3, "{listed}");
    let shown = found(&client, &format!("/observations/{}", call.span_id())).await;
    let tokens = ["promptTokens", "completionTokens", "totalTokens"].map(|key| &shown[key]);
    assert_eq!(tokens, [10, 5, 15]);
    let rows = of_models(&client).await;
    assert_eq!(rows.as_array().unwrap().len(), 1, "{rows}");
    let sums = ["count_count", "sum_totalTokens", "sum_totalCost"].map(|key| number(&rows[0][key]));
    assert_eq!(sums, [1.0, 15.0, cost], "{rows}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c010_a_span_with_newer_numbers_replaces_those_in_all_sums() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("turn");
    let call = |tokens: u32, later: u64| {
        let end: u64 = root.json()["endTimeUnixNano"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        root.child("call")
            .field("spanId", "00000000000000c1")
            .field("endTimeUnixNano", (end + later * 1_000_000).to_string())
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.response.model", "m1")
            .attribute("gen_ai.usage.input_tokens", tokens)
    };
    client.accept_traces(&export([&root, &call(100, 0)])).await;
    client.trace_with_spans(root.trace_id(), 2).await;
    client.accept_traces(&export([&call(200, 500)])).await;
    let path = format!("/observations/{}", "00000000000000c1");
    becomes(&client, &path, |call| call["promptTokens"] == 200).await;
    let rows = of_models(&client).await;
    assert_eq!(number(&rows[0]["count_count"]), 1.0, "{rows}");
    assert_eq!(number(&rows[0]["sum_totalTokens"]), 200.0, "{rows}");
    let trace = client.trace_with_spans(root.trace_id(), 2).await;
    assert_eq!(trace["usage"]["input_tokens"], 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn c011_late_older_events_never_overwrite_newer_ones() {
    let client = shared().await.new_project();
    let newer = |number| {
        event(
            number,
            5,
            "trace-create",
            &json!({"id": "t1", "output": "new"}),
        )
    };
    let older = |number| {
        event(
            number,
            1,
            "trace-create",
            &json!({"id": "t1", "output": "old", "name": "n"}),
        )
    };
    ingest(&client, &[newer(1)]).await;
    ingest(&client, &[older(2)]).await;
    let is_right = |trace: &Value| trace["output"] == "new" && trace["name"] == "n";
    becomes(&client, "/traces/t1", is_right).await;
    let sent = (0..20).map(|round| {
        let client = client.clone();
        let pair = [newer(10 + round * 2), older(11 + round * 2)];
        tokio::spawn(async move {
            for event in pair {
                ingest(&client, &[event]).await;
                let trace = found(&client, "/traces/t1").await;
                assert_eq!(
                    (&trace["output"], &trace["name"]),
                    (&json!("new"), &json!("n"))
                );
            }
        })
    });
    for sent in sent.collect::<Vec<_>>() {
        sent.await.unwrap();
    }
    let marker = json!({"id": "marker"});
    ingest(&client, &[event(99, 1, "trace-create", &marker)]).await;
    becomes(&client, "/traces/marker", |_| true).await;
    assert!(is_right(&found(&client, "/traces/t1").await));
}

#[tokio::test(flavor = "multi_thread")]
async fn c012_what_comes_in_pieces_is_one_generation_of_its_trace() {
    let client = shared().await.new_project();
    let ended = json!({
        "id": "g1", "traceId": "t1", "output": "hi", "endTime": "2026-11-03T10:00:05Z",
        "usage": {"input": 3, "output": 4},
    });
    let begun = json!({
        "id": "g1", "traceId": "t1", "name": "answer", "model": "m1", "input": "hello",
        "startTime": "2026-11-03T10:00:02Z",
    });
    ingest(&client, &[event(1, 5, "generation-update", &ended)]).await;
    becomes(&client, "/observations/g1", |call| call["output"] == "hi").await;
    ingest(&client, &[event(2, 2, "generation-create", &begun)]).await;
    let trace = json!({"id": "t1", "name": "turn"});
    ingest(&client, &[event(3, 1, "trace-create", &trace)]).await;
    let trace = becomes(&client, "/traces/t1", |trace| {
        trace["name"] == "turn" && trace["observations"][0]["name"] == "answer"
    })
    .await;
    let calls = trace["observations"].as_array().unwrap();
    assert_eq!(calls.len(), 1, "no placeholder is left: {trace}");
    let call = &calls[0];
    for (field, value) in [
        ("type", json!("GENERATION")),
        ("model", json!("m1")),
        ("input", json!("hello")),
        ("output", json!("hi")),
        ("startTime", json!("2026-11-03T10:00:02.000Z")),
        ("endTime", json!("2026-11-03T10:00:05.000Z")),
        ("promptTokens", json!(3)),
        ("completionTokens", json!(4)),
        ("parentObservationId", Value::Null),
    ] {
        assert_eq!(call[field], value, "{field}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c013_metadata_is_put_together_key_by_key_whatever_comes_first() {
    let client = shared().await.new_project();
    let first = |id: &str| {
        event(
            1,
            1,
            "trace-create",
            &json!({"id": id, "metadata": {"a": 1, "b": 1}}),
        )
    };
    let second = |id: &str| {
        event(
            2,
            2,
            "trace-create",
            &json!({"id": id, "metadata": {"b": 2}}),
        )
    };
    ingest(&client, &[first("forth")]).await;
    ingest(&client, &[second("forth")]).await;
    ingest(&client, &[second("back")]).await;
    ingest(&client, &[first("back")]).await;
    for id in ["forth", "back"] {
        let path = format!("/traces/{id}");
        becomes(&client, &path, |trace| {
            trace["metadata"] == json!({"a": 1, "b": 2})
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c013_any_span_tells_metadata_of_its_trace_whatever_comes_first() {
    let client = shared().await.new_project();
    let part = |key: &'static str| (format!("langfuse.trace.metadata.{key}"), key);
    let tell = |span: SpanBuilder, parts: &[&'static str]| {
        let parts = parts.iter().map(|key| part(key));
        parts.fold(span, |span, (key, value)| span.attribute(&key, value))
    };
    for root_is_first in [true, false] {
        let root = tell(SpanBuilder::root("asks"), &["k1"]);
        let child = tell(root.child("answers"), &["k2", "k3"]);
        // What a span says of itself is no matter of its trace.
        let child = child.attribute("langfuse.observation.metadata.own", "child");
        let mut parts = [&root, &child];
        if !root_is_first {
            parts.reverse();
        }
        for (before, part) in parts.into_iter().enumerate() {
            client.accept_traces(&export([part])).await;
            client.trace_with_spans(root.trace_id(), before + 1).await;
        }
        let expected = json!({"k1": "k1", "k2": "k2", "k3": "k3"});
        let path = format!("/traces/{}", root.trace_id());
        let trace = becomes(&client, &path, |trace| trace["metadata"] == expected).await;
        assert_eq!(trace["metadata"], expected);
        let path = format!("/api/v1/traces/{}", root.trace_id());
        assert_eq!(client.get_json(&path).await["metadata"], expected);
    }
    // Metrics see the same traces.
    for (key, number) in [("k1", 2), ("k2", 2), ("own", 0)] {
        let query = json!({
            "view": "traces", "dimensions": [],
            "filters": [{"column": "metadata", "type": "stringObject", "key": key,
                "operator": "contains", "value": if key == "own" { "child" } else { key }}],
            "metrics": [{"measure": "count", "aggregation": "count"}],
            "fromTimestamp": "2026-01-01T00:00:00Z", "toTimestamp": "2100-01-01T00:00:00Z",
        });
        let path = format!("/api/public/metrics?query={}", escaped(&query));
        let answer = client.langfuse(Method::GET, &path, None).await.body;
        let counted = answer["data"][0]["count_count"].clone();
        let counted = counted.as_u64().or_else(|| counted.as_str()?.parse().ok());
        assert_eq!(counted.unwrap_or(0), number, "{key}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c014_the_same_ids_in_two_projects_are_deleted_in_one_alone() {
    let server = shared().await;
    let (one, two) = (server.new_project(), server.new_project());
    let span = SpanBuilder::root("same");
    for (client, input) in [(&one, "one"), (&two, "two")] {
        let span = span.clone().attribute("input.value", input);
        client.accept_traces(&export([&span])).await;
    }
    let path = format!("/traces/{}", span.trace_id());
    for (client, input) in [(&one, "one"), (&two, "two")] {
        assert_eq!(becomes(client, &path, |_| true).await["input"], input);
    }
    let gone = one
        .langfuse(Method::DELETE, &format!("/api/public{path}"), None)
        .await;
    assert_eq!(gone.status, StatusCode::OK);
    assert_eq!(read(&one, &path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(found(&one, "/observations").await["meta"]["totalItems"], 0);
    assert_eq!(found(&two, &path).await["input"], "two");
    assert_eq!(found(&two, "/observations").await["meta"]["totalItems"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn c017_every_acknowledged_event_can_be_read_over_a_restart() {
    const TRACES: u32 = 200;
    let server = Server::start().await;
    let client = server.client();
    for number in 0..TRACES {
        let trace = json!({"id": format!("t{number}"), "name": "turn"});
        ingest(&client, &[event(number, 1, "trace-create", &trace)]).await;
        if number == TRACES / 2 {
            assert_eq!(server.stop(), Some(0));
            server.start_again().await;
        }
    }
    eventually("all are listed", async || {
        let listed = found(&client, "/traces?limit=1").await;
        match listed["meta"]["totalItems"].as_u64() {
            Some(total) if total == u64::from(TRACES) => Ok(()),
            other => Err(other),
        }
    })
    .await;
    for number in 0..TRACES {
        let trace = found(&client, &format!("/traces/t{number}")).await;
        assert_eq!(trace["name"], "turn");
    }
}
