//! What is said of a thing, and what waits to be judged of it, goes with it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::super::annotation::{self, queue};
use super::super::{Prompts, all, event, found, ingest};
use super::written;

/// Puts something into a queue.
async fn put(client: &ProjectClient, queue: &str, item: &Value) {
    let path = format!("/{queue}/items");
    annotation::done(client, Method::POST, &path, Some(item)).await;
}

/// What is in a queue, in order.
async fn waiting(client: &ProjectClient, queue: &str) -> Vec<String> {
    let path = format!("/{queue}/items");
    let list = annotation::done(client, Method::GET, &path, None).await;
    let mut ids: Vec<String> = all(&list, "objectId")
        .into_iter()
        .map(|id| id.as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids
}

async fn contents(client: &ProjectClient) -> Vec<String> {
    let list = found(client, "/comments").await;
    let mut contents: Vec<String> = all(&list, "content")
        .into_iter()
        .map(|content| content.as_str().unwrap().to_owned())
        .collect();
    contents.sort();
    contents
}

async fn delete(client: &ProjectClient, path: &str, body: Option<&Value>) {
    let answer = client.langfuse(Method::DELETE, path, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
}

#[tokio::test]
async fn comments_and_pending_items_of_a_trace_and_its_spans_go_with_it_and_no_others() {
    let project = shared().await.new_project();
    let (root, other) = (SpanBuilder::root("goes"), SpanBuilder::root("stays"));
    let call = root.child("call");
    project.accept_traces(&export([&root, &call, &other])).await;
    let older = json!({ "id": "older", "name": "as a whole" });
    let span =
        json!({ "id": "older-span", "traceId": "older", "startTime": "2026-11-03T10:00:00Z" });
    let events = [
        event(1, 1, "trace-create", &older),
        event(2, 2, "span-create", &span),
    ];
    ingest(&project, &events).await;
    let queue = queue(&project, "q").await;
    for (kind, id, content) in [
        ("TRACE", root.trace_id(), "on the trace"),
        ("OBSERVATION", root.span_id(), "on its root"),
        ("OBSERVATION", call.span_id(), "on its call"),
        ("TRACE", other.trace_id(), "on another trace"),
        ("OBSERVATION", other.span_id(), "on another root"),
        ("TRACE", "older", "on an older trace"),
        ("OBSERVATION", "older-span", "on an older span"),
    ] {
        written(&project, kind, id, content).await;
        put(
            &project,
            &queue,
            &json!({ "objectType": kind, "objectId": id }),
        )
        .await;
    }
    // What somebody has judged stays.
    let judged =
        json!({ "objectType": "TRACE", "objectId": root.trace_id(), "status": "COMPLETED" });
    put(&project, &queue, &judged).await;

    let one = format!("/api/public/traces/{}", root.trace_id());
    delete(&project, &one, None).await;
    let both = ["on an older span", "on an older trace"];
    let another = ["on another root", "on another trace"];
    assert_eq!(contents(&project).await, [both, another].concat());
    let mut left = [
        "older",
        "older-span",
        other.trace_id(),
        other.span_id(),
        root.trace_id(),
    ];
    left.sort_unstable();
    assert_eq!(waiting(&project, &queue).await, left);
    // A new trace of that id begins without them.
    project.accept_traces(&export([&root, &call])).await;
    project.trace_with_spans(root.trace_id(), 2).await;
    assert_eq!(contents(&project).await.len(), 4);

    let several = json!({ "traceIds": ["older"] });
    delete(&project, "/api/public/traces", Some(&several)).await;
    assert_eq!(contents(&project).await, another);
    let ours = format!("/api/v1/traces/{}", other.trace_id());
    let answer = project.request(Method::DELETE, &ours).send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
    assert!(contents(&project).await.is_empty());
    assert_eq!(waiting(&project, &queue).await, [root.trace_id()]);
}

#[tokio::test]
async fn comments_go_with_the_version_of_a_prompt_or_with_its_name() {
    let project = shared().await.new_project();
    let prompts = Prompts(&project);
    for (name, text) in [("p", "one"), ("p", "two"), ("p", "three"), ("other", "x")] {
        let prompt = prompts.text(name, text, &[]).await;
        let id = prompt["id"].as_str().unwrap();
        written(
            &project,
            "PROMPT",
            &id.to_uppercase(),
            &format!("on {text}"),
        )
        .await;
    }
    assert_eq!(
        prompts.delete("/p?version=2").await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(contents(&project).await, ["on one", "on three", "on x"]);
    assert_eq!(prompts.delete("/p").await.status, StatusCode::NO_CONTENT);
    assert_eq!(contents(&project).await, ["on x"]);
}
