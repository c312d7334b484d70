//! Comments that are written, listed and shown.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::super::{Prompts, event, found, ingest, people};
use super::{comment, write, written};

#[tokio::test]
async fn things_of_every_kind_are_remarked_on_as_soon_as_they_are_acknowledged() {
    let project = shared().await.new_project();
    let root = SpanBuilder::root("turn").attribute("session.id", "talk");
    let call = root.child("call");
    project.accept_traces(&export([&root, &call])).await;
    // Not waited for: what was acknowledged is there.
    let on_span = written(&project, "OBSERVATION", call.span_id(), "too long").await;
    written(&project, "TRACE", root.trace_id(), "first").await;
    written(&project, "TRACE", root.trace_id(), "second ✓").await;
    written(&project, "SESSION", "talk", "friendly").await;
    let trace = json!({ "id": "by-batch", "name": "older" });
    ingest(&project, &[event(1, 1, "trace-create", &trace)]).await;
    written(&project, "TRACE", "by-batch", "older client").await;
    let prompt = Prompts(&project).text("p", "Hello", &[]).await;
    written(&project, "PROMPT", prompt["id"].as_str().unwrap(), "short").await;

    let shown = found(&project, &format!("/comments/{on_span}")).await;
    assert_eq!(shown["projectId"].as_str(), project.project_id.as_deref());
    assert_eq!(
        (
            &shown["objectType"],
            &shown["objectId"],
            &shown["content"],
            &shown["authorUserId"]
        ),
        (
            &json!("OBSERVATION"),
            &json!(call.span_id()),
            &json!("too long"),
            &Value::Null
        )
    );
    let list = found(&project, "/comments?limit=2").await;
    assert_eq!(list["meta"]["totalItems"], 6);
    assert_eq!(list["data"][0]["content"], "short");
    let path = format!("/comments?objectType=TRACE&objectId={}", root.trace_id());
    let list = found(&project, &path).await;
    let contents: Vec<&Value> = super::super::all(&list, "content");
    assert_eq!(contents, ["second ✓", "first"]);
    let list = found(&project, "/comments?objectType=SESSION").await;
    assert_eq!(super::super::all(&list, "objectId"), ["talk"]);
}

#[tokio::test]
async fn an_author_is_somebody_of_the_organisation() {
    let server = shared().await;
    let (owner, stranger) = (people::owner().await, server.new_project());
    let client = server.client();
    let trace = SpanBuilder::root("authored");
    client.accept_traces(&export([&trace])).await;
    let mut body = comment("TRACE", trace.trace_id(), "mine");
    body["authorUserId"] = json!(owner);
    let made = write(&client, &body).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.body);
    let list = found(&client, &format!("/comments?authorUserId={owner}")).await;
    assert_eq!(list["data"][0]["id"], made.body["id"]);
    assert_eq!(list["data"][0]["authorUserId"], json!(owner));
    let list = found(&client, "/comments?authorUserId=nobody").await;
    assert_eq!(list["meta"]["totalItems"], 0);
    // Of another organisation.
    let theirs = SpanBuilder::root("theirs");
    stranger.accept_traces(&export([&theirs])).await;
    body["objectId"] = json!(theirs.trace_id());
    assert_eq!(
        write(&stranger, &body).await.status,
        StatusCode::BAD_REQUEST
    );
    body["authorUserId"] = json!("nobody");
    assert_eq!(
        write(&stranger, &body).await.status,
        StatusCode::BAD_REQUEST
    );
}
