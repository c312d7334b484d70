//! What is done to many traces at once: it survives leaving the page, tells how far it is and can be
//! stopped.

use std::time::Duration;

use serde_json::json;
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually_within};

use super::Browser;

async fn traces(client: &ProjectClient, name: &str, many: usize) {
    let spans: Vec<SpanBuilder> = (0..many as u64)
        .map(|n| {
            let end = now_nanos() - (n + 10) * 1_000_000_000;
            SpanBuilder::root(name)
                .field("startTimeUnixNano", (end - 1_000_000).to_string())
                .field("endTimeUnixNano", end.to_string())
                .attribute("input.value", format!("{{\"question\": {n}}}"))
                .attribute("output.value", "an answer")
        })
        .collect();
    client.accept_traces(&export(&spans)).await;
}

async fn listed(client: &ProjectClient, many: u64) {
    eventually_within(Duration::from_secs(60), "so many are there", async || {
        let path = "/api/public/traces?limit=1";
        let total = client.get_json(path).await["meta"]["totalItems"].as_u64();
        if total == Some(many) {
            Ok(())
        } else {
            Err(total)
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_match_become_items_of_a_dataset_and_are_deleted() {
    let (browser, client) = Browser::in_new_project("jobs").await;
    traces(&client, "keep", 3).await;
    traces(&client, "take", 45).await;
    listed(&client, 48).await;
    let made = client.request(reqwest::Method::POST, "/api/public/v2/datasets");
    let made = made.json(&json!({"name": "taken"})).send().await.unwrap();
    assert!(made.status().is_success());

    browser.go_to_traces("?q=name:take").await;
    browser
        .click("main .head summary:has([href='#i-download'])")
        .await;
    browser.click("[data-dialog=all-dataset]").await;
    browser.says("#all-dataset .body", "45").await;
    browser.click("#all-dataset .btn-primary").await;
    browser.path_contains("/jobs/").await;
    let job = browser.path().await;
    // It goes on although nobody looks.
    browser.go_to_traces("").await;
    eventually_within(Duration::from_secs(60), "all are items", async || {
        let items = client
            .get_json("/api/public/dataset-items?datasetName=taken&limit=1")
            .await;
        let total = items["meta"]["totalItems"].as_u64();
        if total == Some(45) {
            Ok(())
        } else {
            Err(items)
        }
    })
    .await;
    let items = client
        .get_json("/api/public/dataset-items?datasetName=taken&limit=1")
        .await;
    assert!(items["data"][0]["input"]["question"].is_u64());
    assert_eq!(items["data"][0]["expectedOutput"], "an answer");
    browser.go(&job).await;
    browser.says("#job", "done").await;
    browser.says("#job", "45 of 45 traces").await;

    browser.go_to_traces("?q=name:take").await;
    browser
        .click("main .head summary:has([href='#i-download'])")
        .await;
    browser.click("[data-dialog=all-delete]").await;
    browser.click("#all-delete .armed").await;
    browser.path_contains("/jobs/").await;
    // A slow machine deletes slowly.
    eventually_within(Duration::from_secs(120), "all are deleted", async || {
        let traces = client.get_json("/api/v1/traces?q=name:take&limit=1").await;
        match traces["data"].as_array().map(Vec::len) {
            Some(0) => Ok(()),
            _ => Err(traces),
        }
    })
    .await;
    browser.says("#job", "45 of 45 traces").await;
    browser.says("#job", "done").await;
    listed(&client, 3).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chosen_traces_are_added_and_a_job_can_be_stopped() {
    let (browser, client) = Browser::in_new_project("stopped").await;
    traces(&client, "turn", 60).await;
    listed(&client, 60).await;
    let made = client.request(reqwest::Method::POST, "/api/public/v2/datasets");
    made.json(&json!({"name": "some"})).send().await.unwrap();
    browser.go_to_traces("").await;
    browser.press("jx").await;
    browser.press("jx").await;
    browser.click("[data-dialog=many-dataset]").await;
    browser.click("#many-dataset .btn-primary").await;
    browser.path_contains("/jobs/").await;
    browser.says("#job", "2 of 2 traces").await;

    // Whatever it has done until then: it ends, and says so.
    browser.go_to_traces("").await;
    browser
        .click("main .head summary:has([href='#i-download'])")
        .await;
    browser.click("[data-dialog=all-delete]").await;
    browser.click("#all-delete .armed").await;
    browser.path_contains("/jobs/").await;
    let stop = "const form = document.querySelector('#job form'); if (form) form.requestSubmit()";
    browser.run(stop, vec![]).await;
    eventually_within(Duration::from_secs(60), "it has ended", async || {
        let said = browser.text("#job").await;
        let has_ended = said.contains("cancelled") || said.contains("done");
        if has_ended { Ok(()) } else { Err(said) }
    })
    .await;
    browser.go_to_traces("").await;
    let jobs = browser.path().await.replace("/traces", "/jobs");
    browser.go(&jobs).await;
    browser.shows("tbody tr", 2).await;
    browser.close().await;
}
