//! Content that tries to run, everywhere where telemetry puts text (cases C088, C089).

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually_within, shared};

use super::Browser;
use super::tenancy::victim;
use super::walk::pages;

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
        let links = "return [...document.querySelectorAll('main a, main img, main iframe')].map((e) => new URL(e.getAttribute('href') ?? e.getAttribute('src') ?? '', document.baseURI).href).filter((u) => !u.startsWith(location.origin))";
        assert_eq!(browser.run(links, vec![]).await, json!([]), "{page}");
    }
    browser.close().await;
}

/// The same for names, which are short.
const HOSTILE_NAME: &str = "</b><script>window.__x=1</script><img src=x onerror=window.__x=1>";

/// What breaks lines, directions and terminals rather than pages.
fn unruly() -> String {
    format!(
        "\u{1b}[31mred\u{1b}[0m \u{202e}backwards\u{202c} \u{0}nul \u{feff}{}",
        "x".repeat(5 << 20)
    )
}

/// Gives everything that has a name one that tries to run.
async fn poison(client: &ProjectClient, trace_id: &str) {
    let name = format!("{HOSTILE_NAME}{}", &trace_id[..6]);
    for (path, body) in [
        (
            "/api/public/v2/prompts",
            json!({"name": name, "prompt": HOSTILE, "labels": ["x"], "tags": [HOSTILE_NAME], "commitMessage": HOSTILE}),
        ),
        (
            "/api/public/v2/datasets",
            json!({"name": name, "description": HOSTILE, "metadata": {HOSTILE: HOSTILE}}),
        ),
        (
            "/api/public/dataset-items",
            json!({"datasetName": name, "input": {HOSTILE: HOSTILE}, "expectedOutput": HOSTILE}),
        ),
        (
            "/api/public/comments",
            json!({"objectType": "TRACE", "objectId": trace_id, "content": HOSTILE}),
        ),
        (
            "/api/public/score-configs",
            json!({"name": "hostile", "dataType": "CATEGORICAL", "description": HOSTILE, "categories": [{"label": HOSTILE_NAME, "value": 1}]}),
        ),
        (
            "/api/v1/alert-rules",
            json!({"name": name, "kind": "no_data", "series": "never.sent:avg", "params": {"window_s": 5}}),
        ),
        (
            "/api/v1/channels",
            json!({"name": name, "kind": "slack", "url": "https://example.com/<script>", "enabled": false}),
        ),
        (
            "/api/v1/prices",
            json!({"model": name, "prices": {"input": 1}}),
        ),
        (
            "/api/v1/gpu-prices",
            json!({"model": name, "usd_per_gpu_hour": "2.50", "gpus": 8}),
        ),
        ("/api/v1/objectives", json!({"model": name, "ttft_ms": 500})),
        (
            "/api/v1/quality-rules",
            json!({"name": name, "model": name, "format": "json"}),
        ),
        (
            "/api/v1/scrape-targets",
            json!({"name": name, "url": "http://metrics.invalid/<script>", "enabled": false}),
        ),
    ] {
        let request = client.request(Method::POST, path).body(body.to_string());
        let request = request.header("content-type", "application/json");
        let answer = request.send().await.unwrap();
        let status = answer.status();
        // What refuses such a name shows none.
        assert!(!status.is_server_error(), "{path}: {status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_runs_what_it_shows_or_loses_its_shape() {
    let mut victim = victim().await;
    let span = hostile_span();
    let unruly = unruly();
    let child = SpanBuilder::child(&span, HOSTILE)
        .attribute(
            "input.value",
            "{\"lone\": \"\\ud800\", \"nul\": \"\\u0000\"}",
        )
        .attribute("output.value", unruly.as_str())
        .attribute("tenant.id", HOSTILE)
        .attribute("service.name", HOSTILE);
    victim.client.accept_traces(&export([&span, &child])).await;
    victim.client.trace_with_spans(span.trace_id(), 2).await;
    let score = json!({
        "traceId": span.trace_id(), "observationId": span.span_id(),
        "name": HOSTILE, "value": HOSTILE, "comment": HOSTILE,
    });
    let scores = victim.client.request(Method::POST, "/api/public/scores");
    assert!(
        scores
            .json(&score)
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
    poison(&victim.client, span.trace_id()).await;
    victim.trace_id = span.trace_id().to_owned();
    let browser = Browser::open().await;
    browser.sign_in(shared().await).await;
    for span_id in [span.span_id(), child.span_id()] {
        victim.span_id = span_id.to_owned();
        for page in pages(&victim).await {
            browser.open_whole(&page).await;
            let ran: Value = browser.run("return window.__x ?? null", vec![]).await;
            assert_eq!(ran, Value::Null, "{page}");
            let elsewhere = "return performance.getEntriesByType('resource').map((r) => r.name).filter((n) => !n.startsWith(location.origin))";
            assert_eq!(browser.run(elsewhere, vec![]).await, json!([]), "{page}");
            let wide = "return document.documentElement.scrollWidth - innerWidth";
            let over = browser.run(wide, vec![]).await.as_i64().unwrap();
            assert!(over <= 0, "{page} is {over} pixels too wide");
            let links = "return [...document.querySelectorAll('main a')].map((a) => a.href.baseVal ?? a.href).filter((u) => u && !new URL(u, document.baseURI).href.startsWith(location.origin) && !/^https?:/.test(u))";
            assert_eq!(browser.run(links, vec![]).await, json!([]), "{page}");
        }
    }
    // The console holds reports of what the content policy stopped: there are none.
    browser.close().await;
}
