//! What changed when, on the page of correlation: versions and labels of prompts, rollbacks, incidents.

use reqwest::Method;
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::builders::{SpanBuilder, export, now_nanos};

use super::Browser;
use super::prompts::made;

/// A label goes to a version by a key.
async fn asked(client: &ProjectClient, (method, path): (Method, &str), body: Value) {
    let request = client.request(method, path);
    let request = request.header("content-type", "application/json");
    let answer = request.body(body.to_string()).send().await.unwrap();
    let status = answer.status();
    assert!(status.is_success(), "{}", answer.text().await.unwrap());
}

fn call(seconds_ago: u64, version: u32) -> SpanBuilder {
    let start = now_nanos() - seconds_ago * 1_000_000_000;
    SpanBuilder::root("answer")
        .field("kind", 3)
        .field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + 1_000_000_000).to_string())
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "m")
        .attribute("langfuse.observation.prompt.name", "answer")
        .attribute("langfuse.observation.prompt.version", version)
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_of_labels_and_new_versions_are_marked_and_lead_to_their_prompt() {
    let (browser, client) = Browser::in_new_project("changes").await;
    let production = json!(["production"]);
    made(
        &client,
        json!({"name": "answer", "prompt": "one", "labels": production}),
    )
    .await;
    made(&client, json!({"name": "answer", "prompt": "two"})).await;
    let to_two = (Method::PATCH, "/api/public/v2/prompts/answer/versions/2");
    asked(&client, to_two, json!({"newLabels": production})).await;
    let back = (Method::POST, "/api/v1/prompts/answer/rollback");
    asked(&client, back, json!({"to_version": 1, "force": true})).await;
    let calls = [call(600, 1), call(60, 2)];
    client.accept_traces(&export(&calls)).await;
    for call in &calls {
        client.trace_with_spans(call.trace_id(), 1).await;
    }

    browser.go_to_traces("").await;
    browser.click(".nav a[data-key='g c']").await;
    browser.path_contains("/correlation").await;
    let home = browser.path().await;
    let home = home.split('?').next().unwrap().to_owned();
    browser.go(&format!("{home}?range=15m")).await;
    // The version that was made with the label, the move, the way back; the version that calls are the first to have.
    browser.shows(".lane.low a[data-mark='label']", 2).await;
    browser.shows(".lane.low a[data-mark='back']", 1).await;
    browser.shows(".lane.low a[data-mark='prompt']", 1).await;
    for words in ["label moved", "rollback", "prompt version first served"] {
        browser.says(".marks-key", words).await;
    }
    browser.click("[data-changes] summary").await;
    for words in [
        "answer: production moved, 1 to 2",
        "answer: production went back, 2 to 1",
        "answer 2 is served for the first time",
        "an API key",
    ] {
        browser.says("[data-changes] tbody", words).await;
    }
    let link = "[data-changes] tbody a[href*='tab=labels']";
    browser.click(link).await;
    browser.path_contains("/prompts/answer?tab=labels").await;
    browser.says("main", "production went back, 2 to 1").await;
    browser.go(&format!("{home}?range=15m")).await;
    let script = "return document.querySelector(\"a[data-mark='prompt']\").getAttribute('href')";
    let page = browser.run(script, Vec::new()).await;
    let page = page.as_str().unwrap();
    assert!(page.ends_with("/prompts/answer?version=2"), "{page}");
    browser.go(page).await;
    browser.says("main", "two").await;
    browser.close().await;
}
