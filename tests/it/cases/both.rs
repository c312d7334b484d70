//! What Langfuse's API says of what the conventions' keys became. The same is asked of `/api/v1` in `mapping.rs`,
//! `costs.rs` and `times.rs`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, shared};

use crate::ingest::{field, ids, request};
use crate::langfuse::{becomes, escaped, event, found, ingest};

use super::mapping::one_call_of_three;

/// Sends one span; the observation that it is.
async fn observed(client: &ProjectClient, span: &SpanBuilder) -> Value {
    client.accept_traces(&export([span])).await;
    becomes(client, &format!("/observations/{}", span.span_id()), |_| {
        true
    })
    .await
}

fn chat() -> SpanBuilder {
    SpanBuilder::root("chat").attribute("gen_ai.operation.name", "chat")
}

/// A number that metrics say, by the key of its measure.
async fn metric(
    client: &ProjectClient,
    (measure, aggregation): (&str, &str),
    filters: Value,
) -> Value {
    let query = json!({
        "view": "observations", "dimensions": [], "filters": filters,
        "metrics": [{"measure": measure, "aggregation": aggregation}],
        "fromTimestamp": "2026-01-01T00:00:00Z", "toTimestamp": "2100-01-01T00:00:00Z",
    });
    let answer = found(client, &format!("/metrics?query={}", escaped(&query))).await;
    answer["data"][0][format!("{aggregation}_{measure}")].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn c022_name_input_and_output_of_a_trace_are_those_of_its_root() {
    let client = shared().await.new_project();
    let front = SpanBuilder::root("R")
        .attribute("langfuse.trace.name", "front")
        .attribute("langfuse.trace.input", "q")
        .attribute("langfuse.trace.output", "a");
    let late = SpanBuilder::root("late root")
        .attribute("input.value", "outer q")
        .attribute("output.value", "outer a");
    let specialist = |root: &SpanBuilder| {
        root.child("specialist")
            .attribute("input.value", "inner q")
            .attribute("output.value", "inner a")
    };
    for (order, root, expected) in [
        ([&front, &specialist(&front)], &front, ["front", "q", "a"]),
        (
            [&specialist(&late), &late],
            &late,
            ["late root", "outer q", "outer a"],
        ),
    ] {
        for span in order {
            client.accept_traces(&export([span])).await;
        }
        let path = format!("/traces/{}", root.trace_id());
        let trace = becomes(&client, &path, |trace| {
            trace["observations"]
                .as_array()
                .is_some_and(|all| all.len() == 2)
        })
        .await;
        let shown = ["name", "input", "output"].map(|key| &trace[key]);
        assert_eq!(shown, expected, "{trace}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c023_c029_c031_c032_tokens_are_counted_alike_in_every_form() {
    let client = shared().await.new_project();
    let current = |input: Value, output: Value| {
        chat()
            .attribute("gen_ai.usage.input_tokens", input)
            .attribute("gen_ai.usage.output_tokens", output)
    };
    let inference = |prompt: u32, completion: u32| {
        SpanBuilder::root("llm")
            .attribute("openinference.span.kind", "LLM")
            .attribute("llm.token_count.prompt", prompt)
            .attribute("llm.token_count.completion", completion)
    };
    let ten_and_five = json!({"input": 10, "output": 5, "total": 15});
    let usage = r#"{"input":10,"output":5}"#;
    let odd = chat()
        .attribute("gen_ai.usage.input_tokens", 7)
        .attribute("gen_ai.usage.foo", 3)
        .attribute("gen_ai.usage.prompt_token_details.cached_tokens", 4)
        .attribute("gen_ai.usage.bar", "text")
        .attribute("gen_ai.usage.baz", 1.5);
    let details = inference(50, 30)
        .attribute("llm.token_count.prompt_details.cache_read", 20)
        .attribute("llm.token_count.completion_details.reasoning", 10)
        .attribute("llm.token_count.total", 80);
    for (span, (input, output, total)) in [
        (
            chat().attribute("langfuse.observation.usage_details", usage),
            (10, 5, 15),
        ),
        (current(json!(10), json!(5)), (10, 5, 15)),
        (current(json!("10"), json!("5")), (10, 5, 15)),
        (current(json!(10.0), json!(5.0)), (10, 5, 15)),
        (inference(10, 5), (10, 5, 15)),
        (odd, (7, 0, 7)),
        (details, (50, 30, 80)),
        (
            current(json!(100), json!(10)).attribute("gen_ai.usage.cache_read.input_tokens", 80),
            (100, 10, 110),
        ),
    ] {
        let call = observed(&client, &span).await;
        let counts = ["promptTokens", "completionTokens", "totalTokens"].map(|key| &call[key]);
        assert_eq!(counts, [input, output, total], "{call}");
        if total == 15 {
            assert_eq!(call["usageDetails"], ten_and_five, "{call}");
        }
        if total == 80 {
            let kinds = json!({
                "input": 30, "input_cached_tokens": 20, "output": 20, "output_reasoning_tokens": 10,
                "total": 80,
            });
            assert_eq!(call["usageDetails"], kinds, "{call}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c024_c025_c043_contents_are_read_as_what_they_are() {
    let client = shared().await.new_project();
    let object = r#"{"a":"b"}"#;
    let typed = |text: &str| {
        SpanBuilder::root("demo")
            .attribute("input.value", text)
            .attribute("input.mime_type", "application/json")
    };
    let own = |text: &str| SpanBuilder::root("demo").attribute("langfuse.observation.input", text);
    let workflow = SpanBuilder::root("plan.workflow")
        .attribute("traceloop.span.kind", "workflow")
        .attribute("traceloop.entity.name", "plan")
        .attribute("traceloop.entity.input", r#"{"q":1}"#)
        .attribute("traceloop.entity.output", r#"{"a":2}"#)
        .attribute("traceloop.association.properties.session_id", "s1")
        .attribute("traceloop.association.properties.user_id", "u1");
    for (span, input) in [
        (typed(object), json!({"a": "b"})),
        (own(object), json!({"a": "b"})),
        (typed("plain"), json!("plain")),
        (own("plain"), json!("plain")),
        (typed(r#"{"q":"\u4f60\u597d"}"#), json!({"q": "你好"})),
        (workflow.clone(), json!({"q": 1})),
    ] {
        let read = observed(&client, &span).await;
        assert_eq!(read["input"], input, "{read}");
    }
    let trace = found(&client, &format!("/traces/{}", workflow.trace_id())).await;
    let told = ["output", "sessionId", "userId"].map(|key| &trace[key]);
    assert_eq!(told, [&json!({"a": 2}), &json!("s1"), &json!("u1")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn c027_metadata_stands_at_the_top_once_and_is_found() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("demo")
        .attribute("langfuse.observation.metadata.customer", "c1")
        .attribute("langfuse.trace.metadata.region", "eu")
        .attribute("gen_ai.request.temperature", 0.2)
        .attribute("custom.key", "x");
    let other =
        SpanBuilder::root("other").attribute("langfuse.observation.metadata.customer", "c2");
    client.accept_traces(&export([&other])).await;
    let read = observed(&client, &span).await;
    assert_eq!(read["metadata"]["customer"], "c1", "{read}");
    let said = read["metadata"].to_string();
    assert_eq!(said.matches("\"c1\"").count(), 1, "{said}");
    let filter = json!([{
        "type": "stringObject", "column": "metadata", "key": "customer", "operator": "=", "value": "c1",
    }]);
    for list in ["observations", "v2/observations"] {
        let path = format!("/{list}?filter={}", escaped(&filter));
        let rows = found(&client, &path).await["data"].clone();
        assert_eq!(rows.as_array().unwrap().len(), 1, "{list}: {rows}");
        assert_eq!(rows[0]["id"], span.span_id());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c028_a_model_name_alone_makes_no_call() {
    let client = shared().await.new_project();
    let [server, redis, call] = one_call_of_three();
    client
        .accept_traces(&export([&server, &redis, &call]))
        .await;
    client.trace_with_spans(server.trace_id(), 3).await;
    let calls = found(&client, "/observations?type=GENERATION").await;
    assert_eq!(calls["meta"]["totalItems"], 1, "{calls}");
    assert_eq!(calls["data"][0]["id"], call.span_id());
    let none = json!([]);
    let tokens = metric(&client, ("totalTokens", "sum"), none).await;
    assert!(tokens == 15 || tokens == "15", "{tokens}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c030_c035_c038_costs_are_those_sent_those_computed_and_unknown() {
    let client = shared().await.new_project();
    let price = json!({
        "modelName": "m1", "matchPattern": "^m1$", "unit": "TOKENS",
        "inputPrice": 0.000_001, "outputPrice": 0.000_002,
    });
    let made = client
        .langfuse(Method::POST, "/api/public/models", Some(&price))
        .await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.body);
    let root = SpanBuilder::root("root");
    let call = |model: &str| {
        root.child("call")
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.response.model", model)
            .attribute("gen_ai.usage.input_tokens", 1000)
            .attribute("gen_ai.usage.output_tokens", 100)
    };
    let details = |json: &str| call("m1").attribute("langfuse.observation.cost_details", json);
    let calls = [
        (details(r#"{"total":0.5}"#), Some(0.5)),
        (call("m1").attribute("gen_ai.usage.cost", 0.5), Some(0.5)),
        (call("m1"), Some(0.0012)),
        (details(r#"{"total":0}"#), Some(0.0)),
        (call("nobody/knows-7b"), None),
    ];
    let spans = std::iter::once(&root).chain(calls.iter().map(|(call, _)| call));
    client.accept_traces(&export(spans)).await;
    client.trace_with_spans(root.trace_id(), 6).await;
    for (call, cost) in &calls {
        let read = found(&client, &format!("/observations/{}", call.span_id())).await;
        assert_eq!(read["calculatedTotalCost"].as_f64(), *cost, "{read}");
    }
    let trace = found(&client, &format!("/traces/{}", root.trace_id())).await;
    assert_eq!(trace["totalCost"].as_f64(), Some(1.0012), "{trace}");
    let sum = metric(&client, ("totalCost", "sum"), json!([])).await;
    let sum = sum.as_f64().or_else(|| sum.as_str()?.parse().ok());
    assert_eq!(sum, Some(1.0012));
}

#[tokio::test(flavor = "multi_thread")]
async fn c036_odd_usage_of_events_costs_only_itself() {
    let client = shared().await.new_project();
    let usages = [
        (json!({"input": 10, "output": null}), 10),
        (
            json!({
                "input": 10, "prompt_tokens_details": null,
                "completion_tokens_details": {"audio_tokens": null},
            }),
            10,
        ),
        (json!({"input": 10.5}), 0),
        (json!({"input": "10"}), 10),
        (json!({"input": -3, "output": 5}), 5),
        (json!({}), 0),
    ];
    let mut events = Vec::new();
    for (number, (usage, _)) in (0..).zip(&usages) {
        let body = json!({
            "id": format!("call-{number}"), "traceId": "t", "name": "call", "model": "m1", "input": "in",
            "output": "out", "startTime": "2026-11-03T10:00:02Z", "usageDetails": usage,
        });
        events.push(event(number, 1, "generation-create", &body));
    }
    ingest(&client, &events).await;
    for (number, (usage, total)) in (0..).zip(&usages) {
        let path = format!("/observations/call-{number}");
        let call = becomes(&client, &path, |_| true).await;
        let told = ["name", "model", "input", "output"].map(|key| &call[key]);
        assert_eq!(told, ["call", "m1", "in", "out"], "{usage}");
        assert_eq!(
            call["totalTokens"].as_i64(),
            Some(*total),
            "{usage}: {call}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c037_no_number_that_json_lacks_gets_into_a_sum() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("odd");
    let double = |key: &str, value: f64| {
        let value = [vec![0x21], value.to_le_bytes().to_vec()].concat();
        field(9, &[field(1, key.as_bytes()), field(2, &value)].concat())
    };
    let body = [
        ids(&span),
        double("x", f64::NAN),
        double("y", f64::INFINITY),
        double("gen_ai.usage.cost", f64::NAN),
        double("llm.token_count.prompt", f64::NEG_INFINITY),
    ];
    let answer = client
        .send_traces_body(request(&[body.concat()]), "application/x-protobuf")
        .await;
    assert_eq!(answer.status(), StatusCode::OK);
    let trace = client.trace_with_spans(span.trace_id(), 1).await;
    let read = &trace["spans"][0];
    let kept = (&read["attributes"]["x"], &read["attributes"]["y"]);
    assert_eq!(kept, (&json!("NaN"), &json!("Infinity")));
    assert!(read["cost"].is_null(), "{read}");
    assert!(
        trace["cost"].is_null() || trace["cost"]["total"].is_null(),
        "{trace}"
    );
    let call = found(&client, &format!("/observations/{}", span.span_id())).await;
    assert_eq!(call["calculatedTotalCost"], Value::Null);
    assert_eq!(call["totalTokens"], 0);
    for measure in ["totalCost", "totalTokens"] {
        let sum = metric(&client, (measure, "sum"), json!([])).await;
        let sum = sum.as_f64().or_else(|| sum.as_str()?.parse().ok());
        assert!(sum.is_none_or(|sum| sum == 0.0), "{measure}: {sum:?}");
    }
    for value in ["1e999", "NaN", "Infinity"] {
        let score = format!(r#"{{"traceId":"t","name":"n","value":{value}}}"#);
        let answer = client
            .send_body("/api/public/scores", score.into(), "application/json")
            .await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{value}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c019_an_end_before_the_start_is_marked_and_spoils_no_figure() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("turn");
    let now = now_nanos();
    let backwards = root
        .child("backwards")
        .field("startTimeUnixNano", (now - 1_000_000_000).to_string())
        .field("endTimeUnixNano", (now - 3_000_000_000).to_string());
    let good = root.child("good");
    client
        .accept_traces(&export([&root, &good, &backwards]))
        .await;
    let trace = client.trace_with_spans(root.trace_id(), 3).await;
    let children = trace["spans"][0]["children"].as_array().unwrap();
    let marked = children
        .iter()
        .find(|span| span["name"] == "backwards")
        .unwrap();
    assert_eq!(marked["oddities"], json!(["end_before_start"]));
    let read = found(&client, &format!("/observations/{}", backwards.span_id())).await;
    assert!(
        read["latency"]
            .as_f64()
            .is_none_or(|latency| latency == 0.0),
        "{read}"
    );
    let least = metric(&client, ("latency", "min"), json!([])).await;
    let least = least.as_f64().or_else(|| least.as_str()?.parse().ok());
    assert!(least.is_some_and(|least| least >= 0.0), "{least:?}");
    let p95 = metric(&client, ("latency", "p95"), json!([])).await;
    let p95 = p95.as_f64().or_else(|| p95.as_str()?.parse().ok());
    assert!(
        p95.is_some_and(|p95| (p95 - 1000.0).abs() < 10.0),
        "{p95:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn c021_an_open_call_has_no_duration_and_counts_in_none() {
    let client = shared().await.new_project();
    let call = |id: &str| json!({"id": id, "traceId": "t", "name": id, "startTime": "2026-11-03T10:00:02Z"});
    let mut ended = call("ended");
    ended["endTime"] = json!("2026-11-03T10:00:04Z");
    let events = [
        event(1, 1, "generation-create", &call("open")),
        event(2, 1, "generation-create", &ended),
    ];
    ingest(&client, &events).await;
    becomes(&client, "/observations/ended", |_| true).await;
    let open = becomes(&client, "/observations/open", |_| true).await;
    assert_eq!(
        (&open["endTime"], &open["latency"]),
        (&Value::Null, &Value::Null)
    );
    let mean = async || {
        let mean = metric(&client, ("latency", "avg"), json!([])).await;
        mean.as_f64().or_else(|| mean.as_str()?.parse().ok())
    };
    assert_eq!(mean().await, Some(2000.0), "of the one that ended");
    let end = json!({"id": "open", "traceId": "t", "endTime": "2026-11-03T10:00:06Z"});
    ingest(&client, &[event(3, 6, "generation-update", &end)]).await;
    let open = becomes(&client, "/observations/open", |open| {
        !open["endTime"].is_null()
    })
    .await;
    assert_eq!(open["latency"].as_f64(), Some(4.0), "{open}");
    assert_eq!(mean().await, Some(3000.0));
}
