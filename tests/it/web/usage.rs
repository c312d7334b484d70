//! Users, costs and caches.

use reqwest::Method;
use serde_json::json;
use tests::ProjectClient;
use tests::builders::{SpanBuilder, export};

use super::Browser;
use super::sessions::{go_to, listed};

async fn set_price(client: &ProjectClient, model: &str) {
    let prices = json!({"input": "0.00001", "output": "0.00002", "cache_read": "0.000001", "cache_write": "0.0000125"});
    let price = json!({"model": model, "prices": prices});
    let request = client.request(Method::POST, "/api/v1/prices");
    let made = request.body(price.to_string()).send().await.unwrap();
    assert!(made.status().is_success(), "{}", made.text().await.unwrap());
}

/// A trace with one call.
fn call(user: &str, model: &str, tokens: (u64, u64)) -> [SpanBuilder; 2] {
    let root = SpanBuilder::root("turn")
        .attribute("user.id", user)
        .attribute("session.id", format!("of {user}"))
        .attribute("tenant.id", format!("tenant of {user}"));
    let call = root
        .child("call")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", model)
        .attribute("gen_ai.usage.input_tokens", tokens.0)
        .attribute("gen_ai.usage.output_tokens", tokens.1);
    [root, call]
}

#[tokio::test(flavor = "multi_thread")]
async fn users_are_listed_with_volume_cost_and_quality_and_opened() {
    let (browser, client) = Browser::in_new_project("users").await;
    go_to(&browser, "users").await;
    browser.says(".empty h2", "No user here").await;
    set_price(&client, "dear").await;
    let mut failed = call("maya", "dear", (1_000, 100));
    let failing = json!({ "code": 2, "message": "boiling" });
    failed[0] = failed[0].clone().field("status", failing);
    let spans = [
        call("maya", "dear", (10_000, 1_000)),
        failed.clone(),
        call("tom", "dear", (100, 10)),
    ];
    client.accept_traces(&export(spans.iter().flatten())).await;
    listed(&client, "users", 2).await;
    let trace = failed[0].trace_id();
    let score = json!({"traceId": trace, "name": "helpful", "value": 0.25, "dataType": "NUMERIC"});
    let sent = client.request(Method::POST, "/api/public/scores");
    let sent = sent.body(score.to_string()).send().await.unwrap();
    assert!(sent.status().is_success());
    tests::eventually("the score is among the user's", async || {
        let told = client.get_json("/api/v1/users/maya").await;
        let is_whole = told["score_mean"] == 0.25 && told["trace_count"] == 2;
        if is_whole { Ok(()) } else { Err(told) }
    })
    .await;

    browser.press("gu").await;
    browser.shows("tbody tr", 2).await;
    browser.click("details[data-sort] summary").await;
    browser
        .click("details[data-sort] a[href*='sort=cost']")
        .await;
    browser.path_contains("sort=cost").await;
    browser.says("tbody tr:nth-child(1)", "maya").await;
    // 11,000 × 10⁻⁵ + 1,100 × 2 × 10⁻⁵
    browser.says("tbody tr:nth-child(1)", "$0.1320").await;
    browser
        .says("tbody tr:nth-child(1) .text-error", "50.0 %")
        .await;
    browser.says("tbody tr:nth-child(1)", "0.25").await;
    browser.click("tbody tr:nth-child(1) a").await;
    browser.says("h1", "maya").await;
    browser.says(".facts", "$0.1320").await;
    browser.shows(".panels .panel", 3).await;
    browser.find(".panels rect").await;
    browser.shows(".sessions tbody tr", 1).await;
    browser.says(".sessions tbody tr", "of maya").await;
    browser.shows("table.list:not(.sessions) tbody tr", 2).await;
    browser.says("table.list:not(.sessions)", "boiling").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn costs_are_told_apart_and_lead_to_their_traces() {
    let (browser, client) = Browser::in_new_project("costs").await;
    go_to(&browser, "costs").await;
    browser.says(".empty h2", "No call within the range").await;
    set_price(&client, "dear").await;
    let spans = [
        call("maya", "dear", (30_000, 0)),
        call("tom", "dear", (10_000, 0)),
        call("tom", "nobody-has-a-price-for-this", (7_000, 70)),
    ];
    client.accept_traces(&export(spans.iter().flatten())).await;
    listed(&client, "traces", 3).await;
    browser.press("gm").await;
    browser.shows("tbody tr", 2).await;
    browser.says("tbody tr:nth-child(1)", "dear").await;
    browser.says("tbody tr:nth-child(1)", "$0.4000").await;
    browser.says("tbody tr:nth-child(1)", "100.0 %").await;
    // 0.4 dollars for 40,000 tokens.
    browser.says("tbody tr:nth-child(1)", "$0.0100").await;
    browser.says("tbody tr:nth-child(2) b", "1").await;
    browser
        .says(".figures-row", "Some calls have no price")
        .await;
    browser.find(".stacked rect").await;

    browser.click(".dims a[href*='by=user']").await;
    browser.path_contains("by=user").await;
    browser.says("tbody tr:nth-child(1)", "maya").await;
    browser.says("tbody tr:nth-child(1)", "75.0 %").await;
    browser.click(".dims a[href*='by=tenant']").await;
    browser.says("tbody tr:nth-child(2)", "tenant of tom").await;
    browser.says("tbody tr:nth-child(2)", "$0.1000").await;
    go_to(&browser, "costs?by=user").await;
    browser.click("tbody tr:nth-child(1) a").await;
    browser.path_contains("f=user_id%3Ais%3Amaya").await;
    browser.shows("tbody tr", 1).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn costs_are_narrowed_to_a_part_and_to_all_others() {
    let (browser, client) = Browser::in_new_project("filters").await;
    set_price(&client, "dear").await;
    set_price(&client, "cheap").await;
    let spans = [
        call("maya", "dear", (30_000, 0)),
        call("tom", "dear", (10_000, 0)),
        call("tom", "cheap", (5_000, 0)),
    ];
    client.accept_traces(&export(spans.iter().flatten())).await;
    listed(&client, "traces", 3).await;

    go_to(&browser, "costs").await;
    browser.says(".figures-row", "$0.4500").await;
    browser
        .click("tbody tr:nth-child(1) a[href*='only=']")
        .await;
    browser.shows("tbody tr", 1).await;
    browser.says(".filters .chip", "dear").await;
    browser.says(".figures-row", "$0.4000").await;
    // What is looked at alone is told apart by something else, and that part has the filter as well.
    browser.click(".dims a[href*='by=user']").await;
    browser.shows("tbody tr", 2).await;
    browser.says("tbody tr:nth-child(2)", "$0.1000").await;
    browser.says("tbody tr:nth-child(2)", "25.0 %").await;
    browser
        .click("tbody tr:nth-child(2) td:first-child a")
        .await;
    browser.path_contains("f=model%3Ais%3Adear").await;
    browser.shows("tbody tr", 1).await;

    go_to(&browser, "costs?by=user").await;
    browser
        .click("tbody tr:nth-child(1) a[href*='without=']")
        .await;
    browser.says(".filters .chip-not", "maya").await;
    browser.shows("tbody tr", 1).await;
    browser.says(".figures-row", "$0.1500").await;
    browser.click(".filters .chip .x").await;
    browser.shows("tbody tr", 2).await;

    browser.click("details[data-key=f] summary").await;
    browser.click("#cost-way option[value=user]").await;
    browser.click("#cost-how option[value=is_not]").await;
    browser.fill("#cost-part", "tom").await;
    browser.click("details[data-key=f] button").await;
    browser.path_contains("without=user%3Atom").await;
    browser.says(".figures-row", "$0.3000").await;
    go_to(&browser, "costs?only=model:nobody").await;
    browser.click(".empty a").await;
    browser.shows("tbody tr", 2).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_providers_cache_saves_is_told_in_tokens_and_money() {
    let (browser, client) = Browser::in_new_project("caches").await;
    go_to(&browser, "cache").await;
    browser
        .says("#provider-cache", "No call within the range")
        .await;
    browser
        .says("#engine-cache", "No engine told its hit rate")
        .await;
    browser
        .says("#answer-cache", "No call within the range says")
        .await;
    set_price(&client, "dear").await;
    let [root, cached] = call("maya", "dear", (10_000, 100));
    let cached = cached
        .attribute("gen_ai.usage.cache_read.input_tokens", 8_000)
        .attribute("gen_ai.usage.total_tokens", 10_100);
    client.accept_traces(&export([&root, &cached])).await;
    listed(&client, "traces", 1).await;
    go_to(&browser, "cache").await;
    browser.shows("table[data-list] tbody tr", 1).await;
    browser.says("table[data-list] tbody", "8,000").await;
    browser.says("table[data-list] tbody", "80.0 %").await;
    // 8,000 × (10⁻⁵ − 10⁻⁶)
    browser.says("table[data-list] tbody tr b", "$0.0720").await;
    browser.says("#provider-cache .big", "$0.0720").await;
    browser.find(".stacked rect").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_cache_of_answers_saves_is_what_the_model_would_have_cost() {
    let (browser, client) = Browser::in_new_project("answers").await;
    set_price(&client, "dear").await;
    let told = |hit: &str| {
        let [root, call] = call("maya", "dear", (10_000, 100));
        [root, call.attribute("litellm.cache_hit", hit)]
    };
    let spans = [told("True"), told("False"), told("False"), told("None")];
    client.accept_traces(&export(spans.iter().flatten())).await;
    listed(&client, "traces", 4).await;
    go_to(&browser, "cache").await;
    // 10,000 × 10⁻⁵ + 100 × 2 × 10⁻⁵
    browser.says("#answer-cache .big", "$0.102").await;
    browser.says("#answer-cache", "33.3 %").await;
    browser.shows("#answers tbody tr", 1).await;
    browser.says("#answers tbody", "dear").await;
    // It cost nothing, and says so.
    let whole = client.trace_with_spans(spans[0][0].trace_id(), 2).await;
    let call = &whole["spans"][0]["children"][0];
    assert_eq!(call["from_cache"], true, "{call:#}");
    assert_eq!(call["cost"]["source"], "response_cache", "{call:#}");
    go_to(&browser, "costs").await;
    browser.says("main", "$0.306").await;
    browser.close().await;
}
