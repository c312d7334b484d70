//! The page of the settings: entries, filters, verification, the organisation's log.

use tests::builders::{SpanBuilder, export};
use tests::shared;

use crate::web::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_finds_who_saw_a_trace_and_verifies_the_log() {
    let (browser, client) = Browser::in_new_project("audited").await;
    let span = SpanBuilder::root("chat");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let here = browser.path().await;
    let project = here.split('/').take(3).collect::<Vec<_>>().join("/");
    browser
        .go(&format!("{project}/traces/{}", span.trace_id()))
        .await;
    let log = format!("{project}/settings/audit-log");
    let filter = format!(
        "{log}?action=content.viewed&object=trace:{}",
        span.trace_id()
    );
    tests::eventually("the view is there", async || {
        browser.go(&filter).await;
        let script = "return document.querySelector('#entries tbody')?.innerText ?? ''";
        let text = browser.run(script, vec![]).await.to_string();
        match text.contains(shared().await.email()) {
            true => Ok(()),
            false => Err(text),
        }
    })
    .await;
    browser.click("#audit-verify").await;
    browser
        .says(
            "#verdict",
            "The log holds from its first entry to its last.",
        )
        .await;
    browser
        .go(&format!("{log}?of=organisation&action=sign_in"))
        .await;
    browser.says("#entries", "sign_in").await;
    browser.go(&format!("{log}?action=nothing.like.that")).await;
    browser.says("#entries", "No entry is like that.").await;
    browser.close().await;
}
