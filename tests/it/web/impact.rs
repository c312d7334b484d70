use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};

use super::Browser;
use crate::api::impact::with_tickets;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_impact_guides_and_then_tells_what_comes_of_what() {
    let (browser, client) = Browser::in_new_project("impact").await;
    let hello = SpanBuilder::root("hello");
    client.accept_traces(&export([&hello])).await;
    client.trace_with_spans(hello.trace_id(), 1).await;
    browser.go(&browser.path().await).await;
    browser.click(".nav a[data-key='g e']").await;
    browser.path_contains("/impact").await;
    browser.says("main", "Nothing to link yet").await;
    browser.says("main pre", "/api/v1/business-events").await;

    let path = format!("/api/v1/traces/{}", hello.trace_id());
    client.request(Method::DELETE, &path).send().await.unwrap();
    let spans = with_tickets(&client).await;
    browser.go(&browser.path().await).await;
    browser.says("#links", "Refusal").await;
    browser.says("#links", "Ticket").await;
    browser.says("#links .tag", "linked").await;
    browser.says("#links", "50.0 %").await;
    browser.says("#impact .legend-of", "Refusal").await;
    let drawn = "return document.querySelectorAll('#impact .clocks rect title').length";
    let drawn: Value = browser.run(drawn, vec![]).await;
    assert!(drawn.as_u64().unwrap() >= 2, "{drawn}");

    // Its state is in its address.
    browser.click("main .dims a:nth-child(3)").await;
    browser.path_contains("unit=session").await;
    browser.says("#links", "Sessions").await;

    // From an example to its trace, where the span tells it.
    browser
        .click("#examples tbody tr:first-child td:nth-child(3) a")
        .await;
    browser.path_contains(spans[152].trace_id()).await;
    browser
        .says("#panel .semantic-of", "the answer reads as a refusal")
        .await;
    browser.says("#panel .semantic-of", "turn 2").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_try_to_run_are_shown_as_they_are() {
    const HOSTILE: &str = "</b><script>window.__x=1</script><img src=x onerror=window.__x=1>";
    let (browser, client) = Browser::in_new_project("impact-hostile").await;
    let spans: Vec<SpanBuilder> = (0..60)
        .map(|number| {
            let span = SpanBuilder::root(HOSTILE)
                .attribute("session.id", format!("{HOSTILE}{number}"))
                .attribute("user.id", format!("{HOSTILE}{number}"));
            match number % 2 {
                0 => span.attribute("llm.app.fallback_intent", HOSTILE),
                _ => span,
            }
        })
        .collect();
    client.accept_traces(&export(&spans)).await;
    let events: Vec<Value> = spans
        .iter()
        .step_by(2)
        .map(|span| {
            json!({"type": "custom", "name": HOSTILE, "trace_id": span.trace_id(), "at": span_end(span),
                "ab_group": HOSTILE, "attributes": {HOSTILE: HOSTILE}})
        })
        .collect();
    let request = client.request(Method::POST, "/api/v1/business-events");
    let taken = request
        .body(json!(events).to_string())
        .send()
        .await
        .unwrap();
    assert!(taken.status().is_success());
    tests::eventually("all traces", async || {
        let found = client.get_json("/api/v1/impact").await;
        let is_there = found["traces_considered"] == 60;
        if is_there { Ok(()) } else { Err(found) }
    })
    .await;
    browser.go(&browser.path().await).await;
    browser.click(".nav a[data-key='g e']").await;
    browser.says("#links", "window.__x=1").await;
    browser.says("#examples", "window.__x=1").await;
    let ran = "return window.__x ?? null";
    assert_eq!(browser.run(ran, vec![]).await, Value::Null);
    browser
        .click("#examples tbody tr:first-child td:nth-child(3) a")
        .await;
    browser.says("#panel .semantic-of", "window.__x=1").await;
    assert_eq!(browser.run(ran, vec![]).await, Value::Null);
    browser.close().await;
}

/// A second after the end of a span.
fn span_end(span: &SpanBuilder) -> String {
    let end: u64 = span.json()["endTimeUnixNano"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let end = domain::Timestamp::from_unix_nanos(end + 500_000_000).unwrap();
    end.to_string()
}
