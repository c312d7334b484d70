//! A recorded step once more, with one change, kept as an experiment.

use serde_json::json;
use tests::builders::{SpanBuilder, export};

use super::super::Browser;
use super::provider::Provider;
use super::{browser, choose, connected, set, value};

const FIRST: &str = "[data-play-window]:nth-of-type(1)";

/// Opens a session until its turn can be run again.
async fn opens(browser: &Browser, session: &str) {
    tests::eventually("the turn can be run again", async || {
        browser.go(session).await;
        match browser.count("#turn-1 .run-again").await {
            0 => Err(browser.text("main").await),
            _ => Ok(()),
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_of_a_session_is_run_again_with_another_model_and_compared() {
    let (browser, project, client) = browser().await;
    let provider = Provider::start().await;
    connected(&client, "again", &provider).await;
    let root = SpanBuilder::root("turn")
        .attribute("session.id", "a-session-to-repeat")
        .attribute("input.value", "Where is it?")
        .attribute("output.value", "steady says: It is here.");
    let told = json!([{"role": "system", "content": "Keep {{this}} as it is."},
        {"role": "user", "content": "Where is it?"}]);
    let answered = json!([{"role": "assistant", "content": "quick says: It is here."}]);
    let call = SpanBuilder::child(&root, "answer")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "steady")
        .attribute("gen_ai.request.temperature", 0.5)
        .attribute("langfuse.observation.type", "generation")
        .attribute("langfuse.observation.input", told.to_string())
        .attribute("langfuse.observation.output", answered.to_string());
    client.accept_traces(&export([&root, &call])).await;
    client.trace_with_spans(root.trace_id(), 2).await;

    opens(&browser, &format!("{project}/sessions/a-session-to-repeat")).await;
    browser.click("#turn-1 .run-again").await;
    browser.path_contains("/playground?trace=").await;
    browser
        .says(".play-recorded", "quick says: It is here.")
        .await;
    choose(&browser, "#w1-connection", "again").await;
    assert_eq!(value(&browser, "#w1-model").await, json!("steady"));
    assert_eq!(value(&browser, "#w1-temperature").await, json!("0.5"));
    browser.shows("#values", 0).await;

    // As it was.
    browser.click(&format!("{FIRST} [data-play-do=run]")).await;
    browser
        .says(&format!("{FIRST} .play-diff del"), "quick")
        .await;
    let (_, body) = provider.asked("steady").pop().unwrap();
    assert_eq!(body["messages"], told, "nothing was filled in");

    // With one change, kept.
    set(&browser, "#w1-model", "fast").await;
    set(&browser, "#keep-dataset", "repeated here").await;
    browser.click("#keep").await;
    browser.click(&format!("{FIRST} [data-play-do=run]")).await;
    browser
        .says(&format!("{FIRST} .play-diff ins"), "fast")
        .await;
    browser.click(&format!("{FIRST} [data-kept]")).await;
    browser.path_contains("/compare?run=").await;
    tests::eventually("both answers are there", async || {
        let path = browser.path().await;
        browser.go(&path).await;
        let page = browser.text("main").await;
        let is_there = page.contains("quick says") && page.contains("fast says");
        if is_there { Ok(()) } else { Err(page) }
    })
    .await;
    browser.says("main", "As recorded").await;
    let runs = client
        .get_json("/api/public/datasets/repeated%20here/runs")
        .await;
    assert_eq!(runs["meta"]["totalItems"], 2, "{runs}");
    let items = client
        .get_json("/api/public/dataset-items?datasetName=repeated%20here")
        .await;
    assert_eq!(
        items["data"][0]["sourceTraceId"],
        root.trace_id(),
        "{items}"
    );

    // The panel of the trace leads to the same.
    browser
        .go(&format!(
            "{project}/traces/{}?span={}",
            root.trace_id(),
            call.span_id()
        ))
        .await;
    browser.click("#panel .run-again").await;
    browser.says(".play-recorded", "quick says").await;
    browser.close().await;
}
