//! Scrape targets on their page of the settings.

use serde_json::{Value, json};

use super::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn a_target_is_added_tested_switched_off_and_deleted() {
    let (browser, client) = Browser::in_new_project("targets").await;
    browser.press("g,").await;
    browser.path_contains("/settings").await;
    browser.click(".tabs a:nth-child(6)").await;
    browser.path_contains("/scrape-targets").await;
    browser.fill("#target-name", "engines").await;
    browser
        .fill("#target-url", "http://127.0.0.1:9400/metrics")
        .await;
    browser.submit("#target-name").await;
    let refused = browser.text("#target-url-err").await;
    assert!(
        refused.contains("TRIAXIS_ALLOW_PRIVATE_ADDRESSES"),
        "{refused}"
    );
    browser.expect_complaint("422").await;
    browser.fill("#target-url", "http://metrics.invalid").await;
    browser.fill("#target-labels", "cluster=one").await;
    browser.click("#target-kind option[value=vllm]").await;
    browser.click("#target-auth option[value=bearer]").await;
    browser.fill("#target-secret", "a-token-of-the-page").await;
    browser.submit("#target-name").await;
    browser.says("tbody", "engines").await;
    let targets = client.get_json("/api/v1/scrape-targets").await;
    let target = &targets["data"][0];
    assert_eq!(target["url"], "http://metrics.invalid/metrics");
    assert_eq!(target["labels"], json!({"cluster": "one"}));
    assert_eq!(
        (&target["kind"], &target["auth"]["type"]),
        (&json!("vllm"), &json!("bearer"))
    );
    browser.click("tbody form button").await;
    browser.says("main", "cannot be resolved").await;
    browser.click("tbody a").await;
    browser.path_contains("/scrape-targets").await;
    browser.click("#target-enabled option[value=no]").await;
    browser.submit("#target-name").await;
    browser.says("tbody .tag", "off").await;
    let targets = client.get_json("/api/v1/scrape-targets").await;
    let target = &targets["data"][0];
    assert_eq!(target["enabled"], Value::Bool(false));
    assert_eq!(target["auth"]["type"], "bearer", "the credential is kept");
    assert!(!browser.text("main").await.contains("a-token-of-the-page"));
    browser.click("tbody [data-dialog]").await;
    browser.click("dialog[open] .armed").await;
    browser.shows("tbody tr", 0).await;
    browser.close().await;
}
