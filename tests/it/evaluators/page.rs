//! What a person does on the pages of evaluators, in a browser.

use serde_json::json;
use tests::eventually;

use super::{PATIENCE, answered, connected, scored, server};
use crate::evaluators::provider::{Provider, SECRET};
use crate::web::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_is_made_tried_out_switched_on_read_and_deleted() {
    let server = server().await;
    let browser = Browser::open().await.at(server.http_url());
    browser.sign_in(server).await;
    let path = browser.path().await;
    let project = path.split('/').take(3).collect::<Vec<_>>().join("/");
    let client = server.client();
    let provider = Provider::start().await;
    connected(&client, &provider).await;
    let first = answered(&client, "Where?", "There.").await;
    client.trace_with_spans(&first, 1).await;

    browser.press("gr").await;
    browser.path_contains("/evaluators").await;
    browser.says("main", "No evaluators yet").await;
    browser.click("#new-judge").await;
    browser.path_contains("kind=judge").await;
    browser.fill("#ev-name", "Helpfulness").await;
    browser.fill("#ev-filter", "(name:answering").await;
    browser.click("#ev-save").await;
    browser.says("#ev-filter-err", "").await;
    browser.expect_complaint("422").await;
    set(&browser, "#ev-filter", "name:answering").await;
    set(&browser, "#ev-share", "100").await;
    set(&browser, "#ev-model", "steady").await;
    set(&browser, "#ev-cost", "").await;
    browser.click("#ev-try").await;
    browser.says("#trials", "It answers most of it.").await;
    browser.says("#trials", "0.75").await;
    let scores = client.get_json("/api/public/v2/scores").await;
    assert_eq!(scores["data"], json!([]), "a trial leaves nothing");
    browser.click("#ev-enabled").await;
    browser.click("#ev-save").await;
    browser.says("main", "Nothing was scored yet").await;

    let trace = answered(&client, "Who?", "She.").await;
    scored(&client, &trace).await;
    tests::eventually_within(PATIENCE, "the result is shown", async || {
        browser.go(&browser.path().await).await;
        let text = browser.text("main").await;
        match text.contains("It answers most of it.") {
            true => Ok(()),
            false => Err(text),
        }
    })
    .await;
    let page = browser
        .run("return document.documentElement.outerHTML", vec![])
        .await;
    assert!(!page.as_str().unwrap().contains(SECRET));
    browser.click("#ev-results tbody a").await;
    browser.path_contains(&format!("/traces/{trace}")).await;

    browser.go(&format!("{project}/evaluators")).await;
    browser.says("table.evaluators", "Helpfulness").await;
    browser.click("table.evaluators tbody form button").await;
    browser.says("table.evaluators", "off").await;
    browser.click("table.evaluators tbody a").await;
    browser.click("[data-dialog='ev-delete']").await;
    browser.click("dialog[open] .armed").await;
    eventually("the evaluator is gone", async || {
        let left = client.get_json("/api/v1/evaluators").await;
        match left["data"].as_array().unwrap().is_empty() {
            true => Ok(()),
            false => Err(left),
        }
    })
    .await;
    browser.close().await;
}

/// Puts a text into a field at once, as if it had been typed.
async fn set(browser: &Browser, css: &str, text: &str) {
    browser.find(css).await;
    let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }));";
    browser.run(script, vec![json!(css), json!(text)]).await;
}
