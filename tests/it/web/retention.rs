//! How long what is kept is filled in, looked at and saved on its page.

use std::time::Duration;

use serde_json::Value;
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{eventually, eventually_within};

use super::Browser;

/// Projects have their turns, one after the other.
const PATIENCE: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread")]
async fn days_are_filled_in_and_saved_once_it_was_shown_what_would_go() {
    let (browser, client) = Browser::in_new_project("kept").await;
    let start = now_nanos() - 20 * 86_400_000_000_000;
    let span = SpanBuilder::root("chat")
        .field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + 1_000_000_000).to_string())
        .attribute("input.value", "an old question");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let here = browser.path().await;
    let project: Vec<&str> = here.split('/').take(3).collect();
    let page = format!("{}/settings/retention", project.join("/"));
    browser.go(&page).await;
    browser.says("#verified", "not looked yet").await;
    // A preset is filled in and not saved.
    browser
        .click("#retention-presets [value=development]")
        .await;
    browser.says("#retention-presets .tag", "as above").await;
    let stored = client.get_json("/api/v1/retention").await;
    assert_eq!(stored["preset"], "everything");
    // What is wrong is said where it stands.
    browser.fill("#retention-content", "90").await;
    browser.click("#retention-save").await;
    browser.says("#retention-content-err", "longer than").await;
    browser.expect_complaint("422").await;
    browser.fill("#retention-content", "7").await;
    browser.fill("#retention-environments", "staging 3 5").await;
    // It would remove something, and says so first.
    browser.click("#retention-save").await;
    browser.says("#preview", "Traces").await;
    let stored = client.get_json("/api/v1/retention").await;
    assert_eq!(stored["preset"], "everything");
    browser.click("#retention-confirm").await;
    let stored = eventually("it is saved", async || {
        let stored = client.get_json("/api/v1/retention").await;
        (stored["content_days"] == 7)
            .then_some(stored.clone())
            .ok_or(stored.to_string())
    })
    .await;
    assert_eq!(stored["environments"]["staging"]["structure_days"], 5);
    eventually("it is verified", async || {
        let stored = client.get_json("/api/v1/retention").await;
        (stored["verification"] != Value::Null)
            .then_some(())
            .ok_or(stored.to_string())
    })
    .await;
    browser.go(&page).await;
    browser.says("#verified", "nothing is past its time").await;
    let path = format!("/api/v1/traces/{}", span.trace_id());
    assert_eq!(client.get(&path).await.status(), 404);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_span_whose_contents_went_says_so() {
    let (browser, client) = Browser::in_new_project("emptied").await;
    let start = now_nanos() - 20 * 86_400_000_000_000;
    let span = SpanBuilder::root("chat")
        .field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + 1_000_000_000).to_string())
        .attribute("input.value", "an old question");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let here = browser.path().await;
    let project: Vec<&str> = here.split('/').take(3).collect();
    browser
        .go(&format!("{}/settings/retention", project.join("/")))
        .await;
    browser.fill("#retention-content", "7").await;
    browser.click("#retention-save").await;
    browser.says("#preview", "Contents of spans").await;
    browser.click("#retention-confirm").await;
    eventually_within(PATIENCE, "its contents are gone", async || {
        let path = format!("/api/v1/traces/{}", span.trace_id());
        let shown = client.get_json(&path).await;
        let input = &shown["spans"][0]["input"];
        input.is_null().then_some(()).ok_or(shown.to_string())
    })
    .await;
    let trace = format!("{}/traces/{}", project.join("/"), span.trace_id());
    browser.go(&trace).await;
    browser.says("#lost-contents", "went 7 days after").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_of_contents_is_set_on_the_page_and_a_dropped_one_says_so() {
    let (browser, client) = Browser::in_new_project("sampled").await;
    let here = browser.path().await;
    let project: Vec<&str> = here.split('/').take(3).collect();
    let page = format!("{}/settings/retention", project.join("/"));
    browser.go(&page).await;
    browser.fill("#sampling-percent", "many").await;
    browser.click("#sampling-save").await;
    browser.says("#sampling-percent-err", "number").await;
    browser.expect_complaint("422").await;
    browser.fill("#sampling-percent", "0").await;
    browser.fill("#sampling-wait", "1").await;
    browser.fill("#sampling-score", "helpful").await;
    browser.fill("#sampling-below", "0.5").await;
    browser.fill("#sampling-shares", "prod 12.5").await;
    browser.click("#sampling-save").await;
    let stored = eventually("it is saved", async || {
        let stored = client.get_json("/api/v1/content-sampling").await;
        (stored["ratio"] == 0.0)
            .then_some(stored.clone())
            .ok_or(stored.to_string())
    })
    .await;
    assert_eq!(stored["environments"]["prod"], 0.125);
    assert_eq!(stored["keep_low_scores"]["below"], 0.5);
    let start = now_nanos() - 20 * 86_400_000_000_000;
    let span = SpanBuilder::root("chat")
        .field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + 1_000_000_000).to_string())
        .attribute("input.value", "an old question");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    // Saved anew it is looked for at once what is past its time, and not in some hours.
    browser.go(&page).await;
    browser.click("#sampling-save").await;
    eventually_within(PATIENCE, "its contents are gone", async || {
        let path = format!("/api/v1/traces/{}", span.trace_id());
        let answer = client.get(&path).await;
        let shown: Value = answer.json().await.map_err(|error| error.to_string())?;
        let root = &shown["spans"][0];
        (root["name"] == "chat" && root["input"].is_null())
            .then_some(())
            .ok_or(shown.to_string())
    })
    .await;
    let trace = format!("{}/traces/{}", project.join("/"), span.trace_id());
    browser.go(&trace).await;
    browser.says("#lost-contents", "dropped by sampling").await;
    browser.close().await;
}
