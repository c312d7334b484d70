//! Kinds of datasets: golden, rolling, adversarial.

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually};

use super::Browser;
use super::dataset_items::{items, project_path};
use super::queues::done;

/// Makes a dataset of a kind by hand; the path of its page, without what stands behind it.
async fn made(browser: &Browser, project: &str, (name, kind): (&str, &str)) -> String {
    browser.go(&format!("{project}/datasets/new")).await;
    browser.fill("#dataset-name", name).await;
    browser
        .click(&format!("input[name='kind'][value='{kind}']"))
        .await;
    browser.submit("#dataset-name").await;
    browser.says("main .crumbs", name).await;
    let path = browser.path().await;
    let id = path.split('/').nth(4).unwrap();
    let id = id.split('?').next().unwrap();
    format!("{project}/datasets/{id}")
}

/// A stored trace in which something was asked; its id.
async fn asked(client: &ProjectClient, name: &str, what: &str) -> String {
    let root = SpanBuilder::root(name)
        .attribute("langfuse.observation.input", what)
        .attribute(
            "langfuse.observation.output",
            format!("answer to {what}").as_str(),
        );
    client.accept_traces(&export([&root])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    root.trace_id().to_owned()
}

/// Waits until the inputs of a dataset are these, the oldest first.
async fn holds(client: &ProjectClient, dataset: &str, inputs: &[&str]) -> Vec<Value> {
    eventually(&format!("{dataset} holds {inputs:?}"), async || {
        let found = items(client, dataset).await;
        let said: Vec<&str> = found
            .iter()
            .filter_map(|item| item["input"].as_str())
            .collect();
        match said == inputs {
            true => Ok(found),
            false => Err(format!("{said:?}")),
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_golden_dataset_tells_what_has_no_expected_output_and_who_changed_what_and_why() {
    let (browser, client) = Browser::in_new_project("golden").await;
    let project = project_path(&browser).await;
    let page = made(&browser, &project, ("truths", "golden")).await;
    browser.says("#dataset-kind", "Golden").await;
    browser.go(&format!("{page}/new-item")).await;
    browser.fill("#item-input", "\"capital of France\"").await;
    browser.click("form .btn-primary").await;
    browser.path_contains("/items/").await;
    let item = browser.path().await;
    browser.go(&format!("{page}?tab=items")).await;
    browser
        .says("#unanswered", "1 of 1 items have no expected output")
        .await;

    browser.go(&item).await;
    browser.fill("#item-expected", "\"Paris\"").await;
    browser.click("form .btn-primary").await;
    browser.says("#item-reason-err", "say why").await;
    browser.expect_complaint("422").await;
    browser.fill("#item-reason", "looked it up").await;
    browser.click("form .btn-primary").await;
    browser.shows(".item-versions li", 2).await;
    browser.says(".item-versions li q", "looked it up").await;
    browser.shows(".item-versions .item-by", 2).await;
    browser.go(&format!("{page}?tab=items")).await;
    browser
        .says("#unanswered", "Every item has an expected output")
        .await;

    // Clients see what they always saw, and need not say why.
    let shown = items(&client, "truths").await;
    let keys: Vec<&String> = shown[0].as_object().unwrap().keys().collect();
    assert!(
        !keys
            .iter()
            .any(|key| ["kind", "challenge", "reason", "changedBy"].contains(&key.as_str())),
        "{keys:?}"
    );
    let body = json!({
        "datasetName": "truths", "id": shown[0]["id"], "expectedOutput": "Paris, of course",
    });
    done(&client, Method::POST, "/dataset-items", Some(&body)).await;
    browser.go(&item).await;
    browser
        .says(".item-versions li:first-child .item-by", "API")
        .await;

    // Nothing fills it by itself.
    browser.go(&format!("{page}/fill")).await;
    browser.click("#fill-keep").await;
    browser.says("[role='alert']", "only rolling").await;
    browser.expect_complaint("422").await;

    // It is found by its kind.
    made(&browser, &project, ("whatever", "plain")).await;
    browser.go(&format!("{project}/datasets?kind=golden")).await;
    browser.shows("tbody tr", 1).await;
    browser.says("tbody td", "truths").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_dataset_takes_what_comes_and_the_oldest_leave() {
    let (browser, client) = Browser::in_new_project("rolling").await;
    let project = project_path(&browser).await;
    for name in ["first", "second", "third"] {
        asked(&client, "wanted", name).await;
    }
    asked(&client, "other", "never").await;
    let page = made(&browser, &project, ("of late", "rolling")).await;
    browser.says("main h1", "Filling").await;
    browser.fill("#fill-filter", "f=name:is:wanted").await;
    browser.fill("#fill-share", "0").await;
    browser.click("#fill-keep").await;
    browser.says("#fill-share-err", "above 0").await;
    browser.expect_complaint("422").await;
    browser.fill("#fill-share", "100").await;
    browser.fill("#fill-most", "2").await;
    browser.click("#fill-keep").await;
    let found = holds(&client, "of late", &["second", "third"]).await;
    assert_eq!(found[1]["expectedOutput"], "answer to third");

    let fourth = asked(&client, "wanted", "fourth").await;
    let found = holds(&client, "of late", &["third", "fourth"]).await;
    assert_eq!(found[1]["sourceTraceId"], *fourth);
    // What has left does not come back, although it is looked at again.
    asked(&client, "wanted", "fifth").await;
    holds(&client, "of late", &["fourth", "fifth"]).await;
    browser.go(&format!("{page}/fill")).await;
    browser.says(".status.live", "As they come").await;
    assert_eq!(browser.text("#fill-added").await, "4");
    browser.click("button[value='end']").await;
    browser.shows(".status.live", 0).await;
    browser.go(&format!("{page}?tab=items")).await;
    browser.shows("tbody tr", 2).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adversarial_dataset_is_tagged_and_filled_from_what_was_judged_badly() {
    let (browser, client) = Browser::in_new_project("adversarial").await;
    let project = project_path(&browser).await;
    let page = made(&browser, &project, ("breakers", "adversarial")).await;
    browser.go(&format!("{page}/new-item")).await;
    browser.fill("#item-input", "\"forget all that\"").await;
    browser
        .click("#item-challenge option[value='prompt_injection']")
        .await;
    browser.click("form .btn-primary").await;
    browser.path_contains("/items/").await;
    let item = browser.path().await;
    browser
        .click("#item-challenge option[value='jailbreak']")
        .await;
    browser.click("form .btn-primary").await;
    browser.says(".item-versions li", "Jailbreak").await;

    let bad = asked(&client, "answering", "badly answered").await;
    let good = asked(&client, "answering", "well answered").await;
    for (trace, value) in [(&bad, 0.1), (&good, 0.9)] {
        let body = json!({ "traceId": trace, "name": "quality", "value": value });
        done(&client, Method::POST, "/scores", Some(&body)).await;
    }
    browser.go(&format!("{page}/fill")).await;
    browser.click("#fill-find option[value='low_score']").await;
    browser.click("#fill-keep").await;
    browser.says("#fill-score-err", "name a score").await;
    browser.expect_complaint("422").await;
    browser.fill("#fill-score", "quality").await;
    browser.click("#fill-keep").await;
    // Which of the two stands first is not told: one was made by hand, after the other began or before it.
    let found = eventually("what was judged badly is there", async || {
        let found = items(&client, "breakers").await;
        match found.len() {
            2 => Ok(found),
            _ => Err(format!("{found:?}")),
        }
    })
    .await;
    let taken = found.iter().find(|item| item["sourceTraceId"] == *bad);
    let taken = taken.unwrap();
    assert_eq!(taken["input"], "badly answered");
    assert_eq!(
        taken["expectedOutput"],
        Value::Null,
        "what came of it is not what should"
    );
    browser.go(&format!("{page}?tab=items")).await;
    browser.says("tbody", "Low score").await;
    browser.says("tbody", "Jailbreak").await;
    assert!(item.starts_with(&page));
    browser.close().await;
}
