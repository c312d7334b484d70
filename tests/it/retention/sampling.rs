//! Contents outside of the sample go soon, unless an error or a low score has them kept.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, eventually, shared};

use super::{aged, counted, now, verified_since};
use crate::deletions::project;
use crate::langfuse::found;

const SAMPLING: &str = "/api/v1/content-sampling";

async fn put(client: &ProjectClient, settings: &Value) -> (StatusCode, Value) {
    let request = client
        .request(Method::PUT, SAMPLING)
        .body(settings.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(json!(text)))
}

/// Sets it, and waits for the look that follows.
async fn set(admin: &ProjectClient, settings: &Value) {
    let before = now();
    let (status, said) = put(admin, settings).await;
    assert_eq!(status, StatusCode::OK, "{said}");
    verified_since(admin, &before).await;
}

fn call(hours: u64) -> SpanBuilder {
    aged(SpanBuilder::root("chat"), hours)
        .attribute("gen_ai.request.model", "a-model")
        .attribute("gen_ai.usage.input_tokens", 7)
        .attribute("input.value", "a question")
}

async fn score(client: &ProjectClient, trace: &SpanBuilder, value: f64) {
    let body = json!({"traceId": trace.trace_id(), "name": "helpful", "value": value});
    let request = client
        .request(Method::POST, "/api/public/scores")
        .body(body.to_string());
    assert!(request.send().await.unwrap().status().is_success());
}

async fn ruled(server: &Server, span: &SpanBuilder, rule: &str, days: u16) -> u64 {
    let rows = format!(
        "spans WHERE trace_id = '{}' AND keep_rule = '{rule}' AND content_days = {days}",
        span.trace_id()
    );
    counted(server, &rows).await
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_and_low_scores_that_come_later_keep_their_traces_whole() {
    let server = Server::start().await;
    let (member, admin) = project(&server);
    let settings = json!({"ratio": 0, "environments": {"prod": 1}, "wait_days": 1,
        "keep_low_scores": {"name": "helpful", "below": 0.5}});
    set(&admin, &settings).await;
    let prod = call(12).attribute("langfuse.environment", "prod");
    let (plain, failing, low, high) = (call(12), call(12), call(12), call(12));
    let all = [&prod, &plain, &failing, &low, &high];
    member.accept_traces(&export(all)).await;
    for span in all {
        let stored = member.trace_with_spans(span.trace_id(), 1).await;
        assert_eq!(stored["spans"][0]["input"], "a question");
    }
    assert_eq!(ruled(&server, &prod, "", 0).await, 1);
    for span in [&plain, &failing, &low, &high] {
        assert_eq!(ruled(&server, span, "sampled", 1).await, 1);
    }
    // What decides comes later, and in another request.
    let error = failing
        .child("step")
        .field("status", json!({"code": 2, "message": "broke"}))
        .attribute("output.value", "nothing");
    member.accept_traces(&export([&error])).await;
    member.trace_with_spans(failing.trace_id(), 2).await;
    score(&member, &low, 0.2).await;
    score(&member, &high, 0.9).await;
    eventually("scores are stored", async || {
        let scores = found(&member, "/v2/scores?limit=100").await;
        let many = scores["data"].as_array().map_or(0, Vec::len);
        (many == 2).then_some(()).ok_or(scores.to_string())
    })
    .await;
    set(&admin, &settings).await;
    assert_eq!(ruled(&server, &failing, "chosen", 0).await, 2);
    assert_eq!(ruled(&server, &low, "chosen", 0).await, 1);
    for span in [&plain, &high] {
        assert_eq!(ruled(&server, span, "sampled", 1).await, 1);
    }

    // A day and more later: contents are gone, figures are not.
    let late = call(72);
    member.accept_traces(&export([&late])).await;
    set(&admin, &settings).await;
    let shown = member
        .get_json(&format!("/api/v1/traces/{}", late.trace_id()))
        .await;
    assert_eq!(shown["spans"][0]["input"], Value::Null, "{shown}");
    assert_eq!(shown["spans"][0]["usage"]["input_tokens"], 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_sets_the_sample_and_a_member_sees_it() {
    let (member, admin) = project(shared().await);
    let all = member.get_json(SAMPLING).await;
    assert_eq!(all["ratio"], 1.0);
    let (status, _) = put(&member, &json!({"ratio": 0.5})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    for (settings, path) in [
        (json!({"ratio": 2}), "ratio"),
        (json!({"ratio": "half"}), "ratio"),
        (json!({"environments": {"dev": -1}}), "environments"),
        (json!({"wait_days": 0}), "wait_days"),
        (json!({"keep_low_scores": {"name": ""}}), "keep_low_scores"),
        (json!({"share": 1}), "share"),
    ] {
        let (status, said) = put(&admin, &settings).await;
        assert!(status.is_client_error(), "{settings}: {said}");
        assert!(said.to_string().contains(path), "{settings}: {said}");
    }
    let (status, set) = put(&admin, &json!({"ratio": 0.5, "keep_errors": false})).await;
    assert_eq!(status, StatusCode::OK, "{set}");
    assert_eq!(member.get_json(SAMPLING).await, set);
    let log = admin
        .get_json("/api/v1/audit-log?action=content_sampling.set")
        .await;
    assert_eq!(log["data"][0]["after"]["ratio"], 0.5, "{log}");
}
