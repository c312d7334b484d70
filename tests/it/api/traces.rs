//! Lists, opening and deleting of traces.

use reqwest::{Method, StatusCode};
use tests::builders::{SpanBuilder, export};
use tests::shared;

#[tokio::test]
async fn a_deleted_trace_is_gone_from_the_answer_on() {
    let client = shared().await.new_project();
    let (gone, stays) = (SpanBuilder::root("gone"), SpanBuilder::root("stays"));
    for span in [&gone, &stays] {
        client.accept_traces(&export([span])).await;
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    let path = format!("/api/v1/traces/{}", gone.trace_id());
    let answer = client.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(client.get(&path).await.status(), StatusCode::NOT_FOUND);
    for list in ["traces", "spans"] {
        let page = client.get_json(&format!("/api/v1/{list}")).await;
        let rows = page["data"].as_array().unwrap();
        assert_eq!(rows.len(), 1, "{list}");
        assert_eq!(rows[0]["name"], "stays");
    }
    let again = client.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(again.status(), StatusCode::NOT_FOUND);
    let never = client
        .request(Method::DELETE, "/api/v1/traces/never")
        .send()
        .await
        .unwrap();
    assert_eq!(never.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn list_and_trace_tell_the_same_of_a_trace() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("whole").attribute("session.id", "s 1");
    let failed = root
        .child("failed")
        .field("status", serde_json::json!({ "code": 2, "message": "no" }));
    client.accept_traces(&export([&root, &failed])).await;
    let trace = client.trace_with_spans(root.trace_id(), 2).await;
    let list = client.get_json("/api/v1/traces").await;
    let row = &list["data"][0];
    for field in row.as_object().unwrap().keys() {
        assert_eq!(row[field], trace[field], "{field}");
    }
    assert_eq!(trace["error_count"], 1);
    assert_eq!(trace["session_id"], "s 1");
    assert_eq!(trace["spans"][0]["children"][0]["error"]["message"], "no");
}

#[tokio::test]
async fn other_methods_and_unknown_routes_are_problems() {
    let client = shared().await.client();
    let put = client
        .request(Method::PUT, "/api/v1/traces")
        .send()
        .await
        .unwrap();
    assert_eq!(put.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(put.headers()["content-type"], "application/problem+json");
    let unknown = client.get("/api/v1/nothing/here").await;
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
    assert_eq!(
        unknown.headers()["content-type"],
        "application/problem+json"
    );
}
