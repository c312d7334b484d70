//! Money: what was sent, what is computed, what nobody knows.

use reqwest::{Method, StatusCode};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually, shared};

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

/// Sends JSON; status and JSON of the answer.
async fn send(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let request = client.request(method, path);
    let request = request.header("content-type", "application/json");
    let answer = request.body(body.to_string()).send().await.unwrap();
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// Sets a price; its id.
async fn set_price(client: &ProjectClient, price: Value) -> String {
    let (status, price) = send(client, Method::POST, "/api/v1/prices", &price).await;
    assert_eq!(status, StatusCode::CREATED, "{price}");
    price["id"].as_str().unwrap().to_owned()
}

/// Has everything priced anew, to the end.
async fn reprice(client: &ProjectClient) -> Value {
    let all = json!({"from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z"});
    let (status, asked) = send(client, Method::POST, "/api/v1/reprice", &all).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{asked}");
    assert_eq!(asked["state"], "running");
    let path = format!("/api/v1/reprice/{}", asked["id"].as_str().unwrap());
    eventually("everything is priced anew", async || {
        let now = client.get_json(&path).await;
        if now["state"] == "done" {
            Ok(now)
        } else {
            Err(now)
        }
    })
    .await
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
    let unpriced = client.get_json("/api/v1/unpriced-models").await;
    assert_eq!(unpriced["data"].as_array().unwrap().len(), 1);
    assert_eq!(unpriced["data"][0]["model"], "nobody/knows-7b");
    assert_eq!(unpriced["data"][0]["calls"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn c031_cached_input_is_part_of_input() {
    let client = shared().await.new_project();
    let prices = json!({"input": 1e-6, "output": "0.000002", "input_cached_tokens": "1e-7"});
    set_price(&client, json!({"model": "m1", "prices": prices})).await;
    let root = SpanBuilder::root("root");
    let cached = call(&root, "m1", (100, 10)).attribute("gen_ai.usage.cache_read.input_tokens", 80);
    let trace = sent(&client, root, std::slice::from_ref(&cached)).await;
    let priced = found(&trace, &cached);
    assert_eq!(priced["usage"]["input_tokens"], 100);
    assert_eq!(priced["usage"]["details"]["input"], 20);
    assert_eq!(priced["usage"]["total_tokens"], 110);
    assert_eq!(total(priced), usd("0.000048"));
    assert_eq!(priced["cost"]["price"]["origin"], "project");
}

#[tokio::test(flavor = "multi_thread")]
async fn c034_decorated_names_find_their_price_and_own_ones_win() {
    let client = shared().await.new_project();
    let pattern = json!({
        "match": "pattern",
        "model": "(?i)^(acme/)?tiny$",
        "prices": {"total": "0.001"},
    });
    set_price(&client, pattern).await;
    set_price(
        &client,
        json!({"model": "GPT-4o-mini", "prices": {"total": "0.002"}}),
    )
    .await;
    let root = SpanBuilder::root("root");
    let named = |name| call(&root, name, (1000, 0));
    let built_in = [
        "anthropic/claude-haiku-4-5",
        "eu.anthropic.claude-haiku-4-5-20251001-v1:0",
        "claude-haiku-4-5@20251001",
    ];
    let built_in = built_in.map(named);
    let own = [named("ACME/Tiny"), named("gpt-4o-mini")];
    let free = named("meta-llama/llama-3.3-70b-instruct:free");
    let calls: Vec<SpanBuilder> = built_in
        .iter()
        .chain(&own)
        .chain([&free])
        .cloned()
        .collect();
    let trace = sent(&client, root, &calls).await;
    for call in &built_in {
        let cost = total(found(&trace, call));
        assert!(cost == usd("0.001") || cost == usd("0.0011"), "{cost}");
    }
    assert_eq!(total(found(&trace, &own[0])), usd("1"));
    assert_eq!(total(found(&trace, &own[1])), usd("2"));
    assert_eq!(found(&trace, &free)["cost"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn c038_tiny_costs_stay_visible_and_add_up() {
    let client = shared().await.new_project();
    set_price(&client, json!({"model": "m1", "prices": {"input": 5e-8}})).await;
    let root = SpanBuilder::root("root");
    let calls: Vec<SpanBuilder> = (0..10_000)
        .map(|_| {
            root.child("call")
                .attribute("gen_ai.operation.name", "chat")
                .attribute("gen_ai.response.model", "m1")
                .attribute("gen_ai.usage.input_tokens", 3)
        })
        .collect();
    client.accept_traces(&export([&root])).await;
    for batch in calls.chunks(2_500) {
        client.accept_traces(&export(batch)).await;
    }
    let listed = eventually("all calls are summed up", async || {
        let listed = client.get_json("/api/v1/traces").await;
        let trace = listed["data"][0].clone();
        if trace["span_count"] == 10_001 {
            Ok(trace)
        } else {
            Err(trace["span_count"].clone())
        }
    })
    .await;
    assert_eq!(listed["cost"]["total"], "0.0015");
    let one = client
        .get_json("/api/v1/spans?kind=generation&limit=1")
        .await;
    assert_eq!(one["data"][0]["cost"]["total"], "0.00000015");
    assert_eq!(listed["unpriced_calls"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_is_listed_changed_and_deleted() {
    let client = shared().await.new_project();
    let id = set_price(&client, json!({"model": "m1", "prices": {"input": "0.10"}})).await;
    let path = format!("/api/v1/prices/{id}");
    let change = json!({"prices": {"output": 2}, "valid_from": "2026-01-01T00:00:00Z"});
    let (status, changed) = send(&client, Method::PATCH, &path, &change).await;
    assert_eq!(status, StatusCode::OK, "{changed}");
    let listed = client.get_json("/api/v1/prices").await;
    let price = &listed["data"][0];
    assert_eq!(price["model"], "m1");
    assert_eq!(price["match"], "exact");
    assert_eq!(price["prices"], json!({"output": "2"}));
    assert_eq!(price["valid_from"], "2026-01-01T00:00:00.000000Z");
    let (_, changed) = send(&client, Method::PATCH, &path, &json!({"valid_from": null})).await;
    assert_eq!(changed["valid_from"], Value::Null);
    for (wrong, field) in [
        (json!({"model": ""}), "model"),
        (json!({"match": "pattern", "model": "("}), "model"),
        (json!({"prices": {"input": -1}}), "prices.input"),
        (json!({"prices": {"input": "free"}}), "prices.input"),
        (json!({"valid_to": "tomorrow"}), "valid_to"),
        (json!({"price": {}}), "price"),
    ] {
        let (status, problem) = send(&client, Method::PATCH, &path, &wrong).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
        assert_eq!(problem["errors"][0]["path"], field, "{wrong}");
    }
    let gone = client.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    let (status, _) = send(&client, Method::PATCH, &path, &json!({})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn history_is_priced_anew_when_asked_and_what_was_sent_stays() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let calls = [
        call(&root, "m1", (1000, 100)),
        call(&root, "gpt-4o", (1000, 100)),
        call(&root, "m1", (1000, 100)).attribute("gen_ai.usage.cost", 0.5),
    ];
    let body = export(std::iter::once(&root).chain(&calls));
    let before = sent(&client, root.clone(), &calls).await;
    assert_eq!(before["unpriced_calls"], 1);

    let id = set_price(
        &client,
        json!({"model": "m1", "prices": {"input": "0.000001", "output": "0.000002"}}),
    )
    .await;
    let now = reprice(&client).await;
    assert_eq!(
        (&now["done"], &now["total"], &now["changed"]),
        (&2.into(), &2.into(), &1.into())
    );
    let path = format!("/api/v1/traces/{}", root.trace_id());
    let trace = client.get_json(&path).await;
    let totals = calls.each_ref().map(|call| total(found(&trace, call)));
    assert_eq!(totals, ["0.0012", "0.0035", "0.5"].map(usd));
    assert_eq!(total(&trace), usd("0.5047"));
    assert_eq!(trace["unpriced_calls"], 0);
    assert_eq!(trace["span_count"], 4);
    let whole = found(&trace, &calls[0]);
    assert_eq!(whole["attributes"], found(&before, &calls[0])["attributes"]);
    assert_eq!(whole["cost"]["price"]["origin"], "project");

    // Again: nothing changes. The same spans again: the new cost stays.
    assert_eq!(reprice(&client).await["changed"], 0);
    client.accept_traces(&body).await;

    // Without the price, what it costs is unknown again.
    let path_of_price = format!("/api/v1/prices/{id}");
    let gone = client.request(Method::DELETE, &path_of_price).send().await;
    assert_eq!(gone.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(reprice(&client).await["changed"], 1);
    let trace = client.get_json(&path).await;
    assert_eq!(found(&trace, &calls[0])["cost"], Value::Null);
    assert_eq!(total(found(&trace, &calls[2])), usd("0.5"));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_matches_is_priced_anew() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("root");
    let calls = [call(&root, "m1", (1000, 0)), call(&root, "m2", (1000, 0))];
    sent(&client, root.clone(), &calls).await;
    let both = json!({"match": "pattern", "model": "^m[12]$", "prices": {"input": "0.001"}});
    set_price(&client, both).await;
    let only = json!({
        "from": "2020-01-01T00:00:00Z",
        "to": "2100-01-01T00:00:00Z",
        "filter": [{"column": "model", "operator": "=", "value": "m2"}],
    });
    let (status, _) = send(&client, Method::POST, "/api/v1/reprice", &only).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    let path = format!("/api/v1/traces/{}", root.trace_id());
    eventually("m2 has a cost", async || {
        let trace = client.get_json(&path).await;
        let cost = found(&trace, &calls[1])["cost"].clone();
        if cost.is_null() { Err(cost) } else { Ok(()) }
    })
    .await;
    let trace = client.get_json(&path).await;
    assert_eq!(found(&trace, &calls[0])["cost"], Value::Null);

    for (wrong, field) in [
        (json!({"to": "2100-01-01T00:00:00Z"}), "from"),
        (
            json!({"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}),
            "to",
        ),
        (json!({"since": 1}), "since"),
    ] {
        let (status, problem) = send(&client, Method::POST, "/api/v1/reprice", &wrong).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
        assert_eq!(problem["errors"][0]["path"], field, "{wrong}");
    }
}
