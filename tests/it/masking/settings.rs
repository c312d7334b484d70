//! What is set, by whom, and what it would do.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::{send, set};
use crate::deletions::project;

const MASKING: &str = "/api/v1/masking";
const DRY_RUN: &str = "/api/v1/masking/dry-run";

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_sets_what_is_masked_and_a_member_sees_it() {
    let server = shared().await;
    let (member, admin) = project(server);
    let (stranger, _) = project(server);
    let off = member.get_json(MASKING).await;
    assert_eq!(off["preset"], "off");
    assert_eq!(off["counts"], json!([]));
    let settings = json!({
        "detectors": ["email", "bank_card"],
        "patterns": [{"name": "staff_number", "pattern": "EMP-[0-9]{4}"}],
        "paths": [{"path": "$..password", "action": "mask"}],
        "fields": {"user_id": "hash", "output": "drop"},
        "attributes": [{"key": "http.request.header.*", "action": "drop"}],
    });
    for (path, method) in [(MASKING, Method::PUT), (DRY_RUN, Method::POST)] {
        let (status, said) = send(&member, method, path, &json!({})).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{said}");
    }
    let shown = set(&admin, &settings).await;
    assert_eq!(shown["preset"], "custom");
    assert_eq!(member.get_json(MASKING).await, shown);
    // What was shown may be sent back.
    assert_eq!(set(&admin, &shown).await, shown);
    assert_eq!(stranger.get_json(MASKING).await["preset"], "off");

    let span = SpanBuilder::root("chat")
        .attribute("user.id", "ada")
        .attribute(
            "input.value",
            json!({"password": "x", "n": "EMP-1234"}).to_string(),
        )
        .attribute("output.value", "an answer")
        .attribute("http.request.header.cookie", "c=1");
    member.accept_traces(&export([&span])).await;
    let stored = member.trace_with_spans(span.trace_id(), 1).await;
    let stored = &stored["spans"][0];
    assert_eq!(
        stored["input"],
        json!({"password": "[MASKED]", "n": "[STAFF_NUMBER]"})
    );
    assert_eq!(stored["output"], "[DROPPED]");
    assert!(
        stored["user_id"].as_str().unwrap().starts_with("[HASH:"),
        "{stored}"
    );
    assert!(!stored.to_string().contains("c=1"), "{stored}");
    let preset = set(&admin, &json!({"preset": "personal_data"})).await;
    assert_eq!(preset["detectors"].as_array().unwrap().len(), 6);
    assert_eq!(set(&admin, &json!({})).await["preset"], "off");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_used_is_refused_with_its_field() {
    let (_, admin) = project(shared().await);
    for (settings, field) in [
        (json!({"detectors": ["dreams"]}), "detectors"),
        (
            json!({"patterns": [{"name": "x", "pattern": "(a)\\1"}]}),
            "patterns",
        ),
        (
            json!({"patterns": [{"name": "email", "pattern": "a"}]}),
            "patterns",
        ),
        (
            json!({"patterns": [{"name": "x", "pattern": "a*"}]}),
            "patterns",
        ),
        (
            json!({"paths": [{"path": "a.b", "action": "mask"}]}),
            "paths",
        ),
        (
            json!({"attributes": [{"key": " ", "action": "mask"}]}),
            "attributes",
        ),
        (json!({"fields": {"soul": "drop"}}), "fields"),
        (json!({"preset": "some"}), "preset"),
        (json!({"slip": 1}), "slip"),
    ] {
        let (status, said) = send(&admin, Method::PUT, MASKING, &settings).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{settings}: {said}");
        assert_eq!(said["errors"][0]["path"], field, "{said}");
        let (status, _) = send(
            &admin,
            Method::POST,
            DRY_RUN,
            &json!({"settings": settings}),
        )
        .await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{settings}");
    }
    assert_eq!(admin.get_json(MASKING).await["preset"], "off");
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_tried_without_a_change() {
    let (member, admin) = project(shared().await);
    let around = "x".repeat(100);
    let span = SpanBuilder::root("chat").attribute(
        "input.value",
        format!("{around} ada@example.com {around} b@example.com"),
    );
    let clean = SpanBuilder::root("clean");
    member.accept_traces(&export([&span, &clean])).await;
    member.trace_with_spans(span.trace_id(), 1).await;
    let before = member.trace_with_spans(clean.trace_id(), 1).await;
    let settings = json!({"preset": "personal_data"});
    let (status, tried) = send(
        &admin,
        Method::POST,
        DRY_RUN,
        &json!({"settings": settings}),
    )
    .await;
    assert_eq!(status, StatusCode::OK, "{tried}");
    assert_eq!(
        (&tried["spans"], &tried["spans_with_findings"]),
        (&json!(2), &json!(1))
    );
    assert!(tried["counts"]["email"].as_u64().unwrap() >= 2, "{tried}");
    let finding = &tried["findings"][0];
    assert_eq!(finding["trace_id"], span.trace_id());
    let excerpt = finding["excerpt"].as_str().unwrap();
    assert!(
        excerpt.contains("[EMAIL]") && excerpt.chars().count() <= 64,
        "{excerpt}"
    );
    assert!(!tried.to_string().contains("@example.com"), "{tried}");

    let asked =
        json!({"settings": {"detectors": ["cn_mobile"]}, "text": "138 1234 5678, ada@example.com"});
    let (_, tried) = send(&admin, Method::POST, DRY_RUN, &asked).await;
    assert_eq!(tried["text"], "[CN_MOBILE], ada@example.com");
    assert_eq!(tried["counts"], json!({"cn_mobile": 1}));
    // Without settings those of the project, which has none.
    let (_, tried) = send(&admin, Method::POST, DRY_RUN, &json!({"text": "a@b.com"})).await;
    assert_eq!(
        (&tried["text"], &tried["counts"]),
        (&json!("a@b.com"), &json!({}))
    );
    assert_eq!(admin.get_json(MASKING).await["preset"], "off");
    assert_eq!(member.trace_with_spans(clean.trace_id(), 1).await, before);
    let stored: Value = member.trace_with_spans(span.trace_id(), 1).await;
    assert!(stored.to_string().contains("ada@example.com"));
}
