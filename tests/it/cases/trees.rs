//! Trees that are large, broken, or come in pieces.

use std::time::Duration;

use serde_json::Value;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually_within, shared};

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_spans_are_read_whole() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let mut spans = vec![root.clone()];
    while spans.len() < 10_000 {
        let parent = spans[(spans.len() - 1) / 20].clone();
        spans.push(parent.child("node").attribute("filling", "x".repeat(900)));
    }
    for batch in spans.chunks(500) {
        client.accept_traces(&export(batch)).await;
    }
    // Counted by the list first: reading the whole of it again and again takes its time.
    eventually_within(
        Duration::from_secs(30),
        "all spans are stored",
        async || {
            let listed = client.get_json("/api/v1/traces").await;
            let count = listed["data"][0]["span_count"].clone();
            if count == 10_000 { Ok(()) } else { Err(count) }
        },
    )
    .await;
    let trace = client.trace_with_spans(root.trace_id(), 10_000).await;
    assert_eq!(walk(&trace).len(), 10_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn orphans_stand_at_the_top_until_their_parent_comes() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let child = root.child("child");
    let grandchild = child.child("grandchild");
    client.accept_traces(&export([&grandchild])).await;
    let trace = client.trace_with_spans(root.trace_id(), 1).await;
    assert_eq!(trace["spans"][0]["orphan"], true);
    assert_eq!(trace["name"], "grandchild");

    client.accept_traces(&export([&child])).await;
    let trace = client.trace_with_spans(root.trace_id(), 2).await;
    assert_eq!(trace["spans"][0]["name"], "child");
    assert_eq!(trace["spans"][0]["orphan"], true);

    client.accept_traces(&export([&root])).await;
    let trace = client.trace_with_spans(root.trace_id(), 3).await;
    assert_eq!(trace["name"], "root");
    let tops = trace["spans"].as_array().unwrap();
    assert_eq!(tops.len(), 1);
    assert_ne!(tops[0]["orphan"], true);
    assert_eq!(tops[0]["children"][0]["children"][0]["name"], "grandchild");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_circle_of_parents_is_shown_cut_and_can_be_deleted() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let (a, b, c) = (root.child("a"), root.child("b"), root.child("c"));
    let circle = [
        a.clone().field("parentSpanId", c.span_id()),
        b.clone().field("parentSpanId", a.span_id()),
        c.clone().field("parentSpanId", b.span_id()),
        root.clone(),
        root.child("good"),
    ];
    client.accept_traces(&export(&circle)).await;
    let trace = client.trace_with_spans(root.trace_id(), 5).await;
    assert_eq!(walk(&trace).len(), 5);
    assert_eq!(
        trace["spans"].as_array().unwrap().len(),
        2,
        "the root and one cut"
    );
    delete(&client, root.trace_id()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn siblings_keep_one_order_whatever_the_order_of_arrival() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let start: u64 = root.json()["startTimeUnixNano"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let at = |name: &str, ms: u64| {
        let start = (start + ms * 1_000_000).to_string();
        root.child(name).field("startTimeUnixNano", start)
    };
    let (a, b, c) = (at("a", 1), at("b", 2), at("c", 3));
    for span in [&b, &c, &a] {
        let open = span.clone().field("endTimeUnixNano", "0");
        client.accept_traces(&export([&open])).await;
    }
    client.accept_traces(&export([&root])).await;
    let names = |trace: &Value| {
        walk(trace)
            .into_iter()
            .map(|s| s["name"].to_string())
            .collect()
    };
    let before: Vec<String> = names(&client.trace_with_spans(root.trace_id(), 4).await);
    assert_eq!(before, [r#""root""#, r#""a""#, r#""b""#, r#""c""#]);
    client.accept_traces(&export([&c, &a, &b])).await;
    tests::eventually("all have ended", async || {
        let trace = client
            .get_json(&format!("/api/v1/traces/{}", root.trace_id()))
            .await;
        let after: Vec<String> = names(&trace);
        assert_eq!(after, before);
        if walk(&trace).iter().all(|span| !span["end"].is_null()) {
            Ok(())
        } else {
            Err("open")
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn siblings_of_one_instant_keep_one_order_on_every_reading() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let mut spans = vec![root.clone()];
    spans.extend((0..10).map(|_| root.child("same")));
    // In pieces, the last first, so that the order of arrival is not that of the ids.
    for piece in spans.chunks(3).rev() {
        client.accept_traces(&export(piece)).await;
    }
    let order = |trace: &Value| -> Vec<String> {
        let spans = walk(trace).into_iter();
        spans.map(|span| span["span_id"].to_string()).collect()
    };
    let first = order(&client.trace_with_spans(root.trace_id(), 11).await);
    let path = format!("/api/v1/traces/{}", root.trace_id());
    for round in 0..10 {
        assert_eq!(order(&client.get_json(&path).await), first, "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_descendant_makes_no_parent() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let child = root.child("child");
    let link = serde_json::json!([{"traceId": child.trace_id(), "spanId": child.span_id()}]);
    let root = root.field("links", link);
    client.accept_traces(&export([&root, &child])).await;
    let trace = client.trace_with_spans(root.trace_id(), 2).await;
    let names: Vec<&Value> = walk(&trace).into_iter().map(|span| &span["name"]).collect();
    assert_eq!(names, ["root", "child"]);
    assert_eq!(trace["spans"].as_array().unwrap().len(), 1);
    assert_eq!(trace["spans"][0]["links"][0]["span_id"], child.span_id());
}

/// All spans in the order in which they are nested, top to bottom.
fn walk(trace: &Value) -> Vec<&Value> {
    let mut spans = Vec::new();
    let mut open: Vec<&Value> = trace["spans"]
        .as_array()
        .into_iter()
        .flatten()
        .rev()
        .collect();
    while let Some(span) = open.pop() {
        spans.push(span);
        open.extend(span["children"].as_array().into_iter().flatten().rev());
    }
    spans
}

async fn delete(client: &ProjectClient, trace_id: &str) {
    let path = format!("/api/v1/traces/{trace_id}");
    let answer = client
        .request(reqwest::Method::DELETE, &path)
        .send()
        .await
        .unwrap();
    assert!(answer.status().is_success());
    assert_eq!(client.get(&path).await.status(), 404);
}
