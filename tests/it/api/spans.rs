//! Lists of spans.

use tests::builders::{SpanBuilder, export};
use tests::shared;

#[tokio::test]
async fn long_fields_come_only_when_asked_for() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("asked")
        .attribute("input.value", "hello")
        .attribute("n", 7);
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let short = client.get_json("/api/v1/spans").await;
    let short = &short["data"][0];
    assert_eq!(short["name"], "asked");
    for field in ["input", "output", "messages", "events", "attributes"] {
        assert!(short.get(field).is_none(), "{field}");
    }
    let long = client
        .get_json("/api/v1/spans?fields=input,attributes")
        .await;
    let long = &long["data"][0];
    assert_eq!(long["input"], "hello");
    assert_eq!(long["attributes"]["n"], 7);
    assert_eq!(long["attributes"]["input.value"], "hello");
    assert!(long.get("output").is_none());
    let wrong = client.get("/api/v1/spans?fields=secrets").await;
    assert_eq!(wrong.status(), 400);
}

#[tokio::test]
async fn paging_gives_every_span_once_though_new_ones_arrive() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("same time");
    let mut spans = vec![root.clone()];
    spans.extend((1..25).map(|n| root.child(&format!("child {n}"))));
    client.accept_traces(&export(&spans)).await;
    client.trace_with_spans(root.trace_id(), spans.len()).await;
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = client
            .get_json(&format!("/api/v1/spans?limit=7{cursor}"))
            .await;
        let rows = page["data"].as_array().unwrap();
        assert!(rows.len() <= 7);
        seen.extend(
            rows.iter()
                .map(|row| row["span_id"].as_str().unwrap().to_owned()),
        );
        let newer = SpanBuilder::root("newer");
        client.accept_traces(&export([&newer])).await;
        client.trace_with_spans(newer.trace_id(), 1).await;
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let mut expected: Vec<&str> = spans.iter().map(SpanBuilder::span_id).collect();
    seen.sort();
    expected.sort_unstable();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn the_mapping_of_a_span_says_where_each_field_comes_from() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("chat")
        .attribute("gen_ai.request.model", "gpt-4o-mini")
        .attribute("gen_ai.usage.input_tokens", 5)
        .attribute("house.key", "kept");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let path = format!("/api/v1/spans/{}/mapping", span.span_id());
    let mapping = client.get_json(&path).await;
    let field = |name: &str| {
        let fields = mapping["fields"].as_array().unwrap();
        fields
            .iter()
            .find(|field| field["field"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(field("request_model")["key"], "gen_ai.request.model");
    assert_eq!(field("request_model")["value"], "gpt-4o-mini");
    assert_eq!(field("user_id")["key"], serde_json::Value::Null);
    let looked_for = field("user_id")["looked_for"].to_string();
    assert!(looked_for.contains("langfuse.user.id"), "{looked_for}");
    assert_eq!(mapping["usage_rule"], "plain");
    assert_eq!(mapping["unused"], serde_json::json!(["house.key"]));
    let other = shared().await.new_project();
    assert_eq!(other.get(&path).await.status(), 404);
}
