//! What is unknown never fires, and is told as such (case C090).

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, now_nanos};
use tests::{ProjectClient, shared};

use super::{ask, call, call_of, failed, made, send};

/// What a rule says at an instant.
pub(super) async fn said(client: &ProjectClient, rule: &Value, at_ns: u64) -> Value {
    let at = domain::Timestamp::from_unix_nanos(at_ns)
        .unwrap()
        .to_string();
    let path = format!("/api/v1/alert-rules/{}/test", rule["id"].as_str().unwrap());
    let (status, said) = ask(client, Method::POST, &path, json!({ "at": at })).await;
    assert_eq!(status, StatusCode::OK, "{said}");
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_of_nothing_is_no_data_and_one_of_one_is_all() {
    let client = shared().await.new_project();
    let errors = json!({
        "name": "errors", "kind": "threshold", "series": "request.errors:rate", "enabled": false,
        "params": {"value": 0.05, "window_s": 300}, "filter": {"model": "m"},
    });
    let errors = made(&client, "/api/v1/alert-rules", errors).await;
    let cost = json!({
        "name": "cost of each", "kind": "threshold", "series": "request.cost_usd:avg", "enabled": false,
        "params": {"value": 0, "window_s": 300},
    });
    let cost = made(&client, "/api/v1/alert-rules", cost).await;
    let minute = 60_000_000_000;
    let begin = now_nanos() - 60 * minute;
    let other = call_of("x", begin, 0.1);
    let calls = [
        other,
        call(begin + 10 * minute, 0.1),
        failed(begin + 30 * minute),
    ];
    send(&client, &calls).await;
    for (at, state, value) in [
        (1, "no_data", Value::Null),
        (11, "ok", json!(0.0)),
        (20, "no_data", Value::Null),
        (31, "firing", json!(1.0)),
        (36, "no_data", Value::Null),
    ] {
        let said = said(&client, &errors, begin + at * minute).await;
        assert_eq!(said["state"], state, "{at}: {said}");
        assert_eq!(said["groups"][0]["value"], value, "{at}: {said}");
        assert_eq!(said["firing"], state == "firing", "{at}: {said}");
    }
    // A call without a known cost, and none at all.
    for at in [11, 20] {
        let said = said(&client, &cost, begin + at * minute).await;
        assert_eq!(said["state"], "no_data", "{said}");
    }
    let incidents = client.get_json("/api/v1/incidents").await;
    assert_eq!(incidents["data"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_are_judged_for_themselves() {
    let client = shared().await.new_project();
    let slow = json!({
        "name": "slow", "kind": "threshold", "series": "token.ttft_ms:p99", "enabled": false,
        "params": {"value": 1000, "window_s": 60, "group_by": ["prompt"]},
    });
    let slow = made(&client, "/api/v1/alert-rules", slow).await;
    let end = now_nanos() - 600_000_000_000;
    let of = |prompt: &str, ttft: f64| -> SpanBuilder {
        let call = call(end, ttft);
        call.attribute("langfuse.observation.prompt.name", prompt)
    };
    send(&client, &[of("a", 2.0), of("b", 0.5)]).await;
    let said = said(&client, &slow, end + 1_000_000_000).await;
    let verdict = |prompt: &str| {
        let groups = said["groups"].as_array().unwrap().iter();
        let mut of = groups.filter(|group| group["group"]["prompt"] == prompt);
        of.next().unwrap()["verdict"].clone()
    };
    assert_eq!(verdict("a"), "abnormal", "{said}");
    assert_eq!(verdict("b"), "normal", "{said}");
    // A hundredth is what the sketch may be wrong by.
    let value = said["groups"][0]["value"].as_f64().unwrap();
    assert!((value / 2_000.0 - 1.0).abs() < 0.011, "{said}");
}
