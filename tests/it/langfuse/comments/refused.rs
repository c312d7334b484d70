//! Comments that are not taken.

use reqwest::StatusCode;
use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::super::{event, found, ingest, read};
use super::{comment, write, written};

#[tokio::test]
async fn what_is_not_there_or_is_of_another_project_is_not_remarked_on() {
    let (project, stranger) = (shared().await.new_project(), shared().await.new_project());
    let theirs = SpanBuilder::root("theirs").attribute("session.id", "their talk");
    stranger.accept_traces(&export([&theirs])).await;
    stranger.trace_with_spans(theirs.trace_id(), 1).await;
    let whole = json!({ "id": "whole", "name": "as a whole" });
    ingest(&project, &[event(1, 1, "trace-create", &whole)]).await;
    written(&project, "TRACE", "whole", "x").await;
    for (kind, id) in [
        ("TRACE", "nothing"),
        ("TRACE", theirs.trace_id()),
        ("TRACE", ""),
        ("OBSERVATION", theirs.span_id()),
        // A trace as a whole is no observation.
        ("OBSERVATION", "whole"),
        ("SESSION", "their talk"),
        ("SESSION", ""),
        ("PROMPT", "nothing"),
        ("PROMPT", "01890000-0000-7000-8000-000000000000"),
    ] {
        let answer = write(&project, &comment(kind, id, "x")).await;
        assert_eq!(
            answer.status,
            StatusCode::NOT_FOUND,
            "{kind} {id}: {}",
            answer.body
        );
        assert_eq!(answer.body["error"], "LangfuseNotFoundError");
    }
    assert_eq!(found(&project, "/comments").await["meta"]["totalItems"], 1);
    for id in ["none", "01890000-0000-7000-8000-000000000000"] {
        let answer = read(&project, &format!("/comments/{id}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let project = shared().await.new_project();
    let trace = SpanBuilder::root("t");
    project.accept_traces(&export([&trace])).await;
    let good = comment("TRACE", trace.trace_id(), &"é".repeat(5_000));
    let changed = |field: &str, value: serde_json::Value| {
        let mut body = good.clone();
        body[field] = value;
        body
    };
    for wrong in [
        changed("content", json!("")),
        changed("content", json!("x".repeat(5_001))),
        changed("content", json!("a\u{0}b")),
        changed("content", json!(null)),
        changed("content", json!(7)),
        changed("objectType", json!("trace")),
        changed("objectType", json!(null)),
        changed("objectId", json!(null)),
        changed("objectId", json!("a\u{0}b")),
        changed("projectId", json!(null)),
        changed("authorUserId", json!(7)),
        changed("color", json!("red")),
    ] {
        let answer = write(&project, &wrong).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    assert_eq!(write(&project, &good).await.status, StatusCode::OK);
    for query in ["objectId=t", "objectType=trace", "limit=0", "color=red"] {
        let answer = read(&project, &format!("/comments?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
    }
}
