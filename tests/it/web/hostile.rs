//! Content that tries to run, everywhere where telemetry puts text (cases C088, C089).

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::eventually_within;

use super::Browser;

const HOSTILE: &str = "</script><script>window.__x=1</script><img src=x onerror=window.__x=1>\
    <svg onload=window.__x=1><iframe srcdoc='<script>parent.__x=1</script>'></iframe>\
    [a](javascript:window.__x=1) ![t](https://tracker.invalid/p.png)";

fn hostile_span() -> SpanBuilder {
    let quoted = json!(HOSTILE);
    let messages = json!([
        { "role": HOSTILE, "content": HOSTILE },
        { "role": "assistant", "content": [{ "type": "text", "text": HOSTILE }],
          "tool_calls": [{ "function": { "name": HOSTILE, "arguments": quoted.to_string() } }] },
    ]);
    let event = json!([{ "name": HOSTILE, "timeUnixNano": "1", "attributes": [
        { "key": HOSTILE, "value": { "stringValue": HOSTILE } }] }]);
    SpanBuilder::root(HOSTILE)
        .attribute("input.value", messages.to_string())
        .attribute("output.value", HOSTILE)
        .attribute("user.id", HOSTILE)
        .attribute("session.id", HOSTILE)
        .attribute("gen_ai.request.model", HOSTILE)
        .attribute("tag.tags", HOSTILE)
        .attribute(HOSTILE, HOSTILE)
        .field("status", json!({ "code": 2, "message": HOSTILE }))
        .field("events", event)
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_content_is_shown_and_never_runs_nor_asks_another_host() {
    let (browser, client) = Browser::in_new_project("hostile").await;
    let span = hostile_span();
    client.accept_traces(&export([&span])).await;
    eventually_within(Duration::from_secs(60), "it is stored", async || {
        let listed = client.get_json("/api/v1/traces").await;
        if listed["data"][0].is_object() {
            Ok(())
        } else {
            Err(listed)
        }
    })
    .await;
    let score = json!({
        "traceId": span.trace_id(), "observationId": span.span_id(),
        "name": HOSTILE, "value": HOSTILE, "comment": HOSTILE,
    });
    let scores = client.request(Method::POST, "/api/public/scores");
    let sent = scores.json(&score).send().await.unwrap();
    assert!(sent.status().is_success());
    let trace = format!("/{}", span.trace_id());
    let mut pages = vec![String::new(), "?q=%3Cscript%3E".to_owned()];
    for tab in ["messages", "raw", "attributes", "events", "links", "scores"] {
        pages.push(format!("{trace}?tab={tab}"));
    }
    for page in &pages {
        browser.go_to_traces(page).await;
        browser.says("main", "window.__x=1").await;
        let ran: Value = browser.run("return window.__x ?? null", vec![]).await;
        assert_eq!(ran, Value::Null, "{page}");
        let elsewhere = "return performance.getEntriesByType('resource').map((r) => r.name).filter((n) => !n.startsWith(location.origin))";
        assert_eq!(browser.run(elsewhere, vec![]).await, json!([]), "{page}");
        let links = "return [...document.querySelectorAll('main a, main img, main iframe')].map((e) => e.href ?? e.src).filter((u) => !u.startsWith(location.origin))";
        assert_eq!(browser.run(links, vec![]).await, json!([]), "{page}");
    }
    browser.close().await;
}
