//! What is not stored is tried and set on its page.

use tests::builders::{SpanBuilder, export};

use super::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_tried_and_saved_on_their_page() {
    let (browser, client) = Browser::in_new_project("masked").await;
    let span = SpanBuilder::root("chat").attribute("input.value", "ask ada@example.com");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let here = browser.path().await;
    let project: Vec<&str> = here.split('/').take(3).collect();
    let page = format!("{}/settings/masking", project.join("/"));
    browser.go(&page).await;
    browser.says("#masking", "Nothing is masked.").await;
    // A preset is filled in and not saved.
    browser.click("#presets [value=personal_data]").await;
    browser
        .says("#presets [aria-pressed=true]", "Personal data")
        .await;
    browser.fill("#masking-text", "call 138 1234 5678").await;
    browser.click("#try-text").await;
    browser.says("#tried-text", "call [CN_MOBILE]").await;
    browser.click("#try-recent").await;
    browser.says("#findings", "[EMAIL]").await;
    browser.says("#tried", "in 1 of 1 spans").await;
    let stored = client.get_json("/api/v1/masking").await;
    assert_eq!(stored["preset"], "off");
    // What is wrong is said where it stands.
    browser.fill("#masking-patterns", "staff_number=(").await;
    browser.click("#masking-save").await;
    browser.says("#masking-patterns-err", "linear time").await;
    browser.expect_complaint("422").await;
    browser
        .fill("#masking-patterns", "staff_number=EMP-[0-9]{4}")
        .await;
    browser.click("#masking-save").await;
    browser.path_contains("/settings/masking").await;
    let stored = tests::eventually("it is saved", async || {
        let stored = client.get_json("/api/v1/masking").await;
        let saved = stored["patterns"]
            .as_array()
            .is_some_and(|all| all.len() == 1);
        saved.then_some(stored.clone()).ok_or(stored.to_string())
    })
    .await;
    assert_eq!(stored["patterns"][0]["name"], "staff_number");
    assert_eq!(stored["detectors"].as_array().unwrap().len(), 6);
    let span = SpanBuilder::root("chat").attribute("input.value", "ada@example.com is EMP-1234");
    client.accept_traces(&export([&span])).await;
    let stored = client.trace_with_spans(span.trace_id(), 1).await;
    assert_eq!(stored["spans"][0]["input"], "[EMAIL] is [STAFF_NUMBER]");
    browser.close().await;
}
