//! Runs side by side, in a browser.

use reqwest::Method;
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::builders::{SpanBuilder, export};

use super::Browser;
use super::dataset_items::project_path;

async fn post(client: &ProjectClient, path: &str, body: &Value) -> Value {
    let path = format!("/api/public{path}");
    let answer = client.langfuse(Method::POST, &path, Some(body)).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.body);
    answer.body
}

/// A run over items, with output and score of each; waits until there are so many scores in all.
async fn run(client: &ProjectClient, name: &str, made: &[(&str, &str, f64)], total: u64) {
    for (item, output, score) in made {
        let root = SpanBuilder::root("answering")
            .attribute("langfuse.observation.input", format!("input of {item}"))
            .attribute("langfuse.observation.output", *output);
        client.accept_traces(&export([&root])).await;
        client.trace_with_spans(root.trace_id(), 1).await;
        let link = json!({"runName": name, "datasetItemId": item, "traceId": root.trace_id()});
        post(client, "/dataset-run-items", &link).await;
        let score = json!({"traceId": root.trace_id(), "name": "quality", "value": score});
        post(client, "/scores", &score).await;
    }
    tests::eventually("all scores are read", async || {
        let scores = client.get_json("/api/public/v2/scores?name=quality").await;
        let count = scores["meta"]["totalItems"].as_u64().unwrap_or_default();
        if count == total { Ok(()) } else { Err(count) }
    })
    .await;
}

/// A dataset with four items and two runs, the newer of which made one worse, one better, and has one more; its id, and those
/// of the items.
async fn two_runs(client: &ProjectClient) -> (String, Vec<String>) {
    let dataset = post(client, "/v2/datasets", &json!({"name": "compared"})).await;
    for item in ["kept", "mended", "spoilt", "new"] {
        let id = format!("{item}-{}", std::process::id());
        post(
            client,
            "/dataset-items",
            &json!({"datasetName": "compared", "id": id, "input": item}),
        )
        .await;
    }
    let ids: Vec<String> = ["kept", "mended", "spoilt", "new"]
        .map(|item| format!("{item}-{}", std::process::id()))
        .to_vec();
    let [kept, mended, spoilt, new] = [&ids[0], &ids[1], &ids[2], &ids[3]];
    let old = [
        (&**kept, "the same answer", 0.5),
        (&**mended, "a poor answer", 0.1),
        (&**spoilt, "a good answer", 0.9),
    ];
    run(client, "before", &old, 3).await;
    let fresh = [
        (&**kept, "the same answer", 0.5),
        (&**mended, "a fine answer", 0.8),
        (&**spoilt, "a bad answer", 0.2),
        (&**new, "an answer", 0.7),
    ];
    run(client, "after", &fresh, 7).await;
    (dataset["id"].as_str().unwrap().to_owned(), ids)
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_stand_side_by_side_with_what_got_worse_first() {
    let (browser, client) = Browser::in_new_project("runs side by side").await;
    let project = project_path(&browser).await;
    let (dataset, ids) = two_runs(&client).await;
    let [kept, mended, spoilt, new] = [&ids[0], &ids[1], &ids[2], &ids[3]];
    let page = format!("{project}/datasets/{dataset}");
    browser.go(&page).await;
    browser.shows("input[name='run']", 2).await;
    browser.click("#compare-chosen").await;
    browser.says("[role='alert']", "two to four").await;
    for which in [1, 2] {
        browser
            .click(&format!("tbody tr:nth-child({which}) input[name='run']"))
            .await;
    }
    browser.click("#compare-chosen").await;
    browser.path_contains("/compare").await;

    // The oldest is the baseline; the other is held against it over what both have.
    browser
        .says(".compare-scores th:nth-child(2)", "baseline")
        .await;
    browser
        .says(".compare-scores th:nth-child(2)", "before")
        .await;
    let line = browser.text(".compare-scores tbody td:nth-child(3)").await;
    assert!(line.contains("0.55") && line.contains("n 4"), "{line}");
    assert!(line.contains("0"), "{line}");
    let rows = async || {
        let script = "return [...document.querySelectorAll('.compare-items tbody tr')].map(r => r.cells[0].textContent.trim())";
        let rows = browser.run(script, Vec::new()).await;
        rows.as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let shown = rows().await;
    let order: Vec<bool> = [spoilt, mended, kept, new]
        .iter()
        .zip(&shown)
        .map(|(item, row)| row.contains(item.as_str()))
        .collect();
    assert_eq!(order, [true; 4], "{shown:?}");
    let first = ".compare-items tbody tr:first-child td:nth-child(4)";
    assert_eq!(browser.text(&format!("{first} del")).await, "good");
    assert_eq!(browser.text(&format!("{first} ins")).await, "bad");
    browser.says(&format!("{first} .tag"), "−0.7").await;
    browser
        .says(
            ".compare-items tbody tr:last-child td:nth-child(3)",
            "not in this run",
        )
        .await;

    // Only what got worse; then by the other side of the score.
    browser.click("nav.tabs a[href*='show=worse']").await;
    browser.shows(".compare-items tbody tr", 1).await;
    browser.click("input[name='lower']").await;
    browser.click(".stick button").await;
    browser.path_contains("lower=1").await;
    browser.shows("#compare-lower[checked]", 1).await;
    browser.shows(".compare-items tbody tr", 1).await;
    assert!(rows().await[0].contains(mended.as_str()));
    // Another baseline.
    browser
        .click(".compare-scores a[href*='compare?run=']")
        .await;
    browser
        .says(".compare-scores th:nth-child(2)", "after")
        .await;
    // Back leads through all of it.
    browser.back().await;
    browser
        .says(".compare-scores th:nth-child(2)", "before")
        .await;
    browser.close().await;
}
