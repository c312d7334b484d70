//! A user is forgotten from their page: preview, typed confirmation, progress, certificate.

use serde_json::json;
use tests::builders::{SpanBuilder, export};

use super::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_forgotten_from_their_page_once_their_id_was_typed_again() {
    let (browser, client) = Browser::in_new_project("forgotten").await;
    let span = SpanBuilder::root("chat").attribute("user.id", "ada");
    let other = SpanBuilder::root("chat").attribute("user.id", "bob");
    client.accept_traces(&export([&span, &other])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let here = browser.path().await;
    let project: Vec<&str> = here.split('/').take(3).collect();
    browser
        .go(&format!("{}/users/ada", project.join("/")))
        .await;
    browser.click("#forget-user").await;
    browser.path_contains("/settings/deletions").await;
    browser.says("#preview", "ada").await;
    browser.says("#preview", "Spans").await;
    // Another id is not taken for a confirmation.
    browser.fill("#deletion-typed", "adam").await;
    browser.click("#deletion-ask").await;
    browser.says("#preview", "This is another id.").await;
    browser.expect_complaint("422").await;
    browser.fill("#deletion-typed", "ada").await;
    browser.click("#deletion-ask").await;
    browser.path_contains("/settings/deletions/").await;
    // It is followed without a click.
    tests::eventually_within(
        std::time::Duration::from_secs(90),
        "the page says that it is verified",
        async || {
            let script = "return document.querySelector('#deletion')?.innerText ?? ''";
            let text = browser.run(script, vec![]).await;
            match text.as_str().is_some_and(|text| text.contains("verified")) {
                true => Ok(()),
                false => Err(text),
            }
        },
    )
    .await;
    browser.says("#found", "Spans").await;
    browser.says("#proofs", "clickhouse.rows").await;
    browser.says("#deletion", "Download the certificate").await;
    let gone = client
        .get(&format!("/api/v1/traces/{}", span.trace_id()))
        .await;
    assert_eq!(gone.status(), 404);
    let listed = client.get_json("/api/v1/deletions?user_id=ada").await;
    assert_eq!(listed["data"][0]["state"], json!("verified"));
    browser.close().await;
}
