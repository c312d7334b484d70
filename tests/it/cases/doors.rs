//! What comes in at the doors: ids, numbers, defaults, and what is refused.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, eventually_within, shared};

use crate::ingest::bodies::bomb;
use crate::ingest::{a_normal_span_passes, growth_during};
use crate::langfuse::{all, becomes, event, found, ingest};

#[tokio::test(flavor = "multi_thread")]
async fn c001_ids_are_hexadecimal_in_either_case_and_never_base64() {
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    let client = shared().await.new_project();
    let upper = SpanBuilder::root("upper")
        .field("traceId", TRACE.to_uppercase())
        .field("spanId", "B7AD6B7169203331");
    let lower = SpanBuilder::root("lower")
        .field("traceId", TRACE)
        .field("parentSpanId", "b7ad6b7169203331");
    client.accept_traces(&export([&upper])).await;
    client.accept_traces(&export([&lower])).await;
    let trace = client.trace_with_spans(TRACE, 2).await;
    assert_eq!(trace["trace_id"], TRACE);
    let root = &trace["spans"][0];
    assert_eq!(root["span_id"], "b7ad6b7169203331");
    assert_eq!(root["children"][0]["name"], "lower");

    let base64 = SpanBuilder::root("base64").field("traceId", "CvdlGRbNQ92ESOshHIAxnA==");
    let answer = client.send_traces(&export([&base64])).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let why = answer.text().await.unwrap();
    assert!(why.contains("traceId"), "{why}");
    let whole = found(&client, &format!("/traces/{TRACE}")).await;
    let mut ids: Vec<&str> = whole["observations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|observation| observation["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    let mut expected = [lower.span_id(), "b7ad6b7169203331"];
    expected.sort_unstable();
    assert_eq!(ids, expected);
    let listed = found(&client, "/traces").await;
    assert_eq!(all(&listed, "id"), [TRACE], "and no other trace");
}

#[tokio::test(flavor = "multi_thread")]
async fn c002_halves_of_a_number_are_the_number_that_they_make() {
    let client = shared().await.new_project();
    let halves = |nanos: u64| json!({"low": nanos & 0xffff_ffff, "high": nanos >> 32});
    let span = SpanBuilder::root("halves")
        .field("startTimeUnixNano", halves(1_750_000_000_123_456_789))
        .field("endTimeUnixNano", halves(1_750_000_000_623_456_789));
    client.accept_traces(&export([&span])).await;
    let trace = client.trace_with_spans(span.trace_id(), 1).await;
    let read = &trace["spans"][0];
    assert_eq!(read["start"], "2025-06-15T15:06:40.123456Z");
    assert_eq!(read["latency_ms"], 500.0);
    // These make nine seconds after the beginning of all time.
    let odd = SpanBuilder::root("odd").field("startTimeUnixNano", json!({"low": 1, "high": 2}));
    client.accept_traces(&export([&odd])).await;
    let trace = client.trace_with_spans(odd.trace_id(), 1).await;
    assert_eq!(trace["spans"][0]["oddities"], json!(["start_unknown"]));
    a_normal_span_passes(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c004_what_is_left_out_is_its_default_and_what_nobody_knows_is_passed_over() {
    let client = shared().await.new_project();
    let bare = SpanBuilder::root("bare");
    let mut body = export([&bare]);
    let scopes = &mut body["resourceSpans"][0]["scopeSpans"][0];
    scopes.as_object_mut().unwrap().remove("scope");
    let span = scopes["spans"][0].as_object_mut().unwrap();
    for left_out in ["kind", "flags", "status", "attributes"] {
        span.remove(left_out);
    }
    client.accept_traces(&body).await;
    let client_side = SpanBuilder::root("calling")
        .field("kind", "SPAN_KIND_CLIENT")
        .field("futureField", json!({}));
    client.accept_traces(&export([&client_side])).await;
    for (span, kind) in [(&bare, "unspecified"), (&client_side, "client")] {
        let trace = client.trace_with_spans(span.trace_id(), 1).await;
        let read = &trace["spans"][0];
        assert_eq!(read["otlp_kind"], kind, "{read}");
        assert_eq!(read["status"], "unset", "{read}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c006_batches_are_limited_by_what_they_come_to_when_they_are_decompressed() {
    let server = Server::start().await;
    let client = server.client();
    a_normal_span_passes(&client).await;
    for encoding in ["gzip", "zstd", "deflate"] {
        let bomb = bomb(encoding, 300 * 1024 * 1024);
        let growth = growth_during(&server, async {
            let request = client.request(Method::POST, "/api/public/ingestion");
            let request = request
                .header("content-type", "application/json")
                .header("content-encoding", encoding);
            let answer = request.body(bomb).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE, "{encoding}");
        })
        .await;
        assert!(growth < 150, "{encoding}: {growth} MiB");
    }
    a_normal_span_passes(&client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c008_a_very_deep_event_costs_only_itself() {
    let client = shared().await.new_project();
    for (levels, name) in [(30, "thirty"), (20_000, "very many")] {
        let nested = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        let deep = json!({"id": format!("deep {name}"), "traceId": "t", "input": "DEEP"});
        let beside = json!({"id": format!("beside {name}"), "traceId": "t", "input": "flat"});
        let events = [
            event(1, 1, "generation-create", &deep),
            event(2, 1, "generation-create", &beside),
        ];
        let body = json!({"batch": events}).to_string();
        let body = body.replace("\"DEEP\"", &nested);
        let answer = client
            .send_body("/api/public/ingestion", body.into(), "application/json")
            .await;
        assert_eq!(answer.status(), StatusCode::MULTI_STATUS, "{name}");
        let answer: Value = answer.json().await.unwrap();
        let taken = all_ids(&answer["successes"]);
        assert!(taken.contains(&"event-2".to_owned()), "{name}: {answer}");
        let path = format!("/observations/beside%20{}", name.replace(' ', "%20"));
        becomes(&client, &path, |call| call["input"] == "flat").await;
        if taken.contains(&"event-1".to_owned()) {
            let path = path.replace("beside", "deep");
            let call = becomes(&client, &path, |_| true).await;
            assert!(!call["input"].is_null(), "{name}");
        } else {
            let why = &answer["errors"][0];
            assert_eq!(
                (&why["id"], &why["status"]),
                (&json!("event-1"), &json!(400))
            );
            assert_ne!(levels, 30, "thirty levels are kept: {answer}");
        }
    }
    a_normal_span_passes(&client).await;
}

fn all_ids(rows: &Value) -> Vec<String> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned())
        .collect()
}

/// What a server counts.
async fn counted(server: &Server, name: &str) -> f64 {
    let url = format!("{}/metrics", server.http_url());
    let text = reqwest::get(url).await.unwrap().text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let value = line.unwrap_or_else(|| panic!("no {name}: {text}"));
    value.trim().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn c003_c018_what_is_refused_is_not_tried_again_and_a_monster_leaves_the_queue() {
    let server = Server::start().await;
    let client = server.client();
    a_normal_span_passes(&client).await;
    let short = SpanBuilder::root("short").field("traceId", "abcd");
    let answer = client.send_traces(&export([&short])).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let good = SpanBuilder::root("good");
    let answer = client.send_traces(&export([&short, &good])).await;
    let told: Value = answer.json().await.unwrap();
    assert_eq!(told["partialSuccess"]["rejectedSpans"], "1", "{told}");
    client.trace_with_spans(good.trace_id(), 1).await;

    let monster = SpanBuilder::root("monster").attribute("big", "x".repeat(50_000_000));
    client.accept_traces(&export([&monster])).await;
    let spans: Vec<SpanBuilder> = (0..100).map(|_| SpanBuilder::root("normal")).collect();
    for span in &spans {
        client.accept_traces(&export([span])).await;
    }
    let listed = Duration::from_secs(60);
    eventually_within(listed, "all are listed", async || {
        let list = client.get_json("/api/v1/traces?limit=1000").await;
        match list["data"].as_array().unwrap().len() {
            103 => Ok(()),
            other => Err(other),
        }
    })
    .await;
    eventually_within(listed, "the queue is empty", async || {
        let waiting = counted(&server, "triaxis_spool_entries ").await;
        let age = counted(&server, "triaxis_spool_oldest_age_seconds ").await;
        if waiting == 0.0 && age == 0.0 {
            Ok(())
        } else {
            Err((waiting, age))
        }
    })
    .await;
    for never in [
        "triaxis_insert_errors_total ",
        "triaxis_set_aside_rows_total ",
        "triaxis_spool_set_aside_entries ",
    ] {
        assert_eq!(counted(&server, never).await, 0.0, "{never}");
    }
    let ready = reqwest::get(format!("{}/readyz", server.http_url())).await;
    assert_eq!(ready.unwrap().status(), StatusCode::OK);
}

/// The events of a batch, one of which has half a character.
fn fifty() -> String {
    let body = |number: u32| json!({"id": format!("call-{number}"), "traceId": "t", "output": "ok HALF", "name": "call"});
    let events: Vec<Value> = (1..=50)
        .map(|number| event(number, 1, "generation-create", &body(number)))
        .collect();
    let text = json!({"batch": events}).to_string();
    let mut pieces = text.split("HALF");
    let mut whole = pieces.next().unwrap().to_owned();
    for (number, piece) in (1..).zip(pieces) {
        whole += if number == 25 { r"\ud83d" } else { "whole" };
        whole += piece;
    }
    whole
}

#[tokio::test(flavor = "multi_thread")]
async fn c040_half_an_emoji_does_not_lose_a_batch() {
    let client = shared().await.new_project();
    let answer = client
        .send_body("/api/public/ingestion", fifty().into(), "application/json")
        .await;
    assert_eq!(answer.status(), StatusCode::MULTI_STATUS);
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["errors"], json!([]));
    assert_eq!(answer["successes"].as_array().unwrap().len(), 50);
    becomes(&client, "/observations?limit=1", |list| {
        list["meta"]["totalItems"] == 50
    })
    .await;
    for (id, output) in [("call-25", "ok \u{fffd}"), ("call-26", "ok whole")] {
        let call = found(&client, &format!("/observations/{id}")).await;
        assert_eq!(call["output"], output, "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c015_one_bad_event_costs_only_itself() {
    let client = shared().await.new_project();
    let trace = |id: &str| json!({"id": id, "name": id});
    let mut wrong = event(2, 1, "trace-create", &trace("two"));
    wrong["timestamp"] = json!("yesterday");
    let batch = json!({"batch": [
        event(1, 1, "trace-create", &trace("one")),
        wrong,
        event(3, 1, "trace-create", &trace("three")),
    ]});
    let answer = client
        .langfuse(Method::POST, "/api/public/ingestion", Some(&batch))
        .await;
    assert_eq!(answer.status, StatusCode::MULTI_STATUS);
    let taken = json!([{"id": "event-1", "status": 201}, {"id": "event-3", "status": 201}]);
    assert_eq!(answer.body["successes"], taken);
    let errors = answer.body["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1, "{errors:?}");
    let told = (&errors[0]["id"], &errors[0]["status"]);
    assert_eq!(told, (&json!("event-2"), &json!(400)));
    let message = errors[0]["message"].as_str().unwrap();
    assert!(!message.is_empty());
    for id in ["one", "three"] {
        becomes(&client, &format!("/traces/{id}"), |trace| {
            trace["name"] == id
        })
        .await;
    }
    let listed = found(&client, "/traces").await;
    assert_eq!(listed["meta"]["totalItems"], 2);
    let nonsense = client
        .send_body("/api/public/ingestion", "batch".into(), "application/json")
        .await;
    assert_eq!(nonsense.status(), StatusCode::BAD_REQUEST);
    assert!(nonsense.json::<Value>().await.unwrap()["message"].is_string());
}

/// Whether an answer to a text with a NUL takes it without, or names the field; what was taken.
async fn told(client: &ProjectClient, path: &str, body: &Value, field: &str) -> Option<Value> {
    let path = format!("/api/public{path}");
    let answer = client.langfuse(Method::POST, &path, Some(body)).await;
    if answer.status.is_success() {
        return Some(answer.body);
    }
    assert_eq!(
        answer.status,
        StatusCode::BAD_REQUEST,
        "{path}: {}",
        answer.body
    );
    assert!(
        answer.body.to_string().contains(field),
        "{path}: {}",
        answer.body
    );
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn c042_a_nul_in_a_text_is_taken_out_or_its_field_is_named() {
    let client = shared().await.new_project();
    let trace = json!({"id": "t", "name": "t"});
    ingest(&client, &[event(1, 1, "trace-create", &trace)]).await;
    let dataset = json!({"name": "d"});
    told(&client, "/v2/datasets", &dataset, "").await.unwrap();
    let nul = "a\u{0}b";
    let project = client.project_id.clone().unwrap();
    let score = json!({"id": "s", "traceId": "t", "name": "n", "value": 1, "comment": nul});
    let comment =
        json!({"projectId": project, "objectType": "TRACE", "objectId": "t", "content": nul});
    let item = json!({"datasetName": "d", "id": "i", "input": {"x": nul}});
    let prompt = json!({"name": "p", "prompt": nul});
    let config = json!({"name": nul, "dataType": "NUMERIC"});
    for (path, body, field) in [
        ("/scores", score, "comment"),
        ("/comments", comment, "content"),
        ("/v2/prompts", prompt, "prompt"),
        ("/score-configs", config, "name"),
        ("/dataset-items", item, "input"),
    ] {
        let taken = told(&client, path, &body, field).await;
        let said = taken.map(|taken| taken.to_string());
        assert!(!said.is_some_and(|said| said.contains(r"\u0000")), "{path}");
    }
    // What is kept of the item is read without it.
    let item = crate::langfuse::read(&client, "/dataset-items/i").await;
    if item.status.is_success() {
        let kept = item.body["input"]["x"].as_str().unwrap();
        assert!(kept.starts_with('a') && kept.ends_with('b'), "{kept:?}");
        assert!(!kept.contains('\u{0}'), "{kept:?}");
    }
}
