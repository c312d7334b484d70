//! Scores on the page of a trace.

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::eventually;

use super::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn scores_stand_beside_the_trace_and_in_a_tab_of_their_span() {
    let (browser, client) = Browser::in_new_project("scores").await;
    let root = SpanBuilder::root("turn");
    let call = root.child("call");
    client.accept_traces(&export([&root, &call])).await;
    let trace_id = root.trace_id();
    client.trace_with_spans(trace_id, 2).await;
    let whole =
        json!({ "traceId": trace_id, "name": "user-feedback", "value": 1, "dataType": "BOOLEAN" });
    let own = json!({
        "traceId": trace_id, "observationId": call.span_id(), "name": "grounded", "value": 0.75,
        "comment": "found in policy-B4",
    });
    let request = client.request(Method::POST, "/api/public/scores");
    let sent = request.json(&json!([whole, own])).send().await.unwrap();
    assert_eq!(sent.status(), 207);
    eventually("the scores are stored", async || {
        let trace: Value = client.get_json(&format!("/api/v1/traces/{trace_id}")).await;
        match trace["scores"].as_array().map(Vec::len) {
            Some(2) => Ok(()),
            other => Err(format!("{other:?}")),
        }
    })
    .await;
    let page = format!("/{trace_id}?span={}&tab=scores", call.span_id());
    browser.go_to_traces(&page).await;
    browser.says(".trace-facts", "user-feedback yes").await;
    for words in [
        "This span",
        "grounded",
        "0.75",
        "found in policy-B4",
        "by a program",
    ] {
        browser.says("#panel", words).await;
    }
    browser.says("#panel", "The whole trace").await;
    // Another span has none of its own.
    let page = format!("/{trace_id}?span={}&tab=scores", root.span_id());
    browser.go_to_traces(&page).await;
    browser.says("#panel", "user-feedback").await;
    let shown = "return document.querySelector('#panel').innerText.includes('grounded')";
    assert_eq!(browser.run(shown, vec![]).await, json!(false));
    browser.close().await;
}
