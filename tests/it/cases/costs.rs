//! Money: what was sent, what is computed, what nobody knows.

use rust_decimal::Decimal;
use serde_json::Value;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

/// A call of a model that counted these tokens.
fn call(parent: &SpanBuilder, model: &str, (input, output): (u64, u64)) -> SpanBuilder {
    parent
        .child(model)
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.response.model", model)
        .attribute("gen_ai.usage.input_tokens", input)
        .attribute("gen_ai.usage.output_tokens", output)
}

/// Sends calls below a root; their trace.
async fn sent(client: &ProjectClient, root: SpanBuilder, calls: &[SpanBuilder]) -> Value {
    let spans: Vec<&SpanBuilder> = std::iter::once(&root).chain(calls).collect();
    client.accept_traces(&export(spans.iter().copied())).await;
    client.trace_with_spans(root.trace_id(), spans.len()).await
}

/// The span of that builder in a trace.
fn found<'t>(trace: &'t Value, span: &SpanBuilder) -> &'t Value {
    let children = trace["spans"][0]["children"].as_array().unwrap();
    let mut children = children.iter();
    children
        .find(|child| child["span_id"] == span.span_id())
        .unwrap()
}

fn total(priced: &Value) -> Decimal {
    let text = priced["cost"]["total"].as_str();
    text.unwrap_or_else(|| panic!("no cost: {priced}"))
        .parse()
        .unwrap()
}

fn usd(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn c030_a_cost_that_is_sent_wins_over_a_computed_one() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let usage = || call(&root, "gpt-4o", (1000, 100));
    let details = |json: &str| usage().attribute("langfuse.observation.cost_details", json);
    let calls = [
        details(r#"{"total":0.5}"#),
        usage().attribute("gen_ai.usage.cost", 0.5),
        usage(),
        details(r#"{"total":0}"#),
    ];
    let trace = sent(&client, root, &calls).await;
    let costs = calls.each_ref().map(|call| &found(&trace, call)["cost"]);
    let totals = costs.map(|cost| cost["total"].as_str().unwrap());
    assert_eq!(totals, ["0.5", "0.5", "0.0035", "0"]);
    let sources = costs.map(|cost| cost["source"].as_str().unwrap());
    assert_eq!(sources, ["client", "client", "price_table", "client"]);
    assert_eq!(costs[2]["price"]["model"], "gpt-4o");
    assert_eq!(costs[0]["price"], Value::Null);
    assert_eq!(total(&trace), usd("1.0035"));
}

#[tokio::test(flavor = "multi_thread")]
async fn c033_dated_model_names_find_their_price() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let names = [
        "gpt-4o-2025-12-17",
        "gpt-4o-20251001",
        "gpt-4o-0315",
        "gpt-4o@20251001",
        "gpt-4o-preview-05-20",
        "GPT-4O",
    ];
    let calls = names.map(|name| call(&root, name, (1000, 100)));
    let trace = sent(&client, root, &calls).await;
    for (call, name) in calls.iter().zip(names) {
        let priced = found(&trace, call);
        assert_eq!(total(priced), usd("0.0035"), "{name}");
        let row = priced["cost"]["price"]["model"].as_str().unwrap();
        assert!(row.starts_with("gpt-4o"), "{name}: {row}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_tier_of_the_answer_chooses_the_price() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let asked = call(&root, "gpt-5", (1000, 0)).attribute("openai.request.service_tier", "auto");
    let calls = [
        asked.clone(),
        asked.attribute("openai.response.service_tier", "priority"),
    ];
    let calls = [
        calls[0].clone(),
        calls[1].clone().field("spanId", "00000000000000aa"),
    ];
    let trace = sent(&client, root, &calls).await;
    assert_eq!(total(found(&trace, &calls[0])), usd("0.00125"));
    let priority = found(&trace, &calls[1]);
    assert_eq!(total(priority), usd("0.0025"));
    assert_eq!(priority["cost"]["price"]["service_level"], "priority");
}

#[tokio::test(flavor = "multi_thread")]
async fn c035_unknown_is_not_zero() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let unknown = call(&root, "nobody/knows-7b", (1000, 100));
    let known = call(&root, "gpt-4o", (200_000, 0));
    let trace = sent(&client, root, &[unknown.clone(), known]).await;
    assert_eq!(found(&trace, &unknown)["cost"], Value::Null);
    assert_eq!(total(&trace), usd("0.5"));
    assert_eq!(trace["unpriced_calls"], 1);
    let listed = client.get_json("/api/v1/traces").await;
    assert_eq!(listed["data"][0]["cost"]["total"], "0.5");
    assert_eq!(listed["data"][0]["unpriced_calls"], 1);
}
