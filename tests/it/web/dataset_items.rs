//! Datasets and items by hand, in a browser.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually};

use super::Browser;

/// The path of the project whose page is open.
pub(super) async fn project_path(browser: &Browser) -> String {
    let path = browser.path().await;
    path.split('/').take(3).collect::<Vec<_>>().join("/")
}

/// Items of a dataset by the API, the oldest first.
pub(super) async fn items(client: &ProjectClient, dataset: &str) -> Vec<Value> {
    let name = dataset.replace(' ', "%20");
    let path = format!("/api/public/dataset-items?datasetName={name}&limit=100");
    let mut items = client.get_json(&path).await["data"]
        .as_array()
        .unwrap()
        .clone();
    items.reverse();
    items
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_is_made_renamed_put_away_and_brought_back() {
    let (browser, client) = Browser::in_new_project("datasets by hand").await;
    let project = project_path(&browser).await;
    browser.go(&format!("{project}/datasets")).await;
    browser.click("header a.btn-primary").await;
    browser.fill("#dataset-name", "refunds").await;
    browser.fill("#dataset-input-schema", "{\"type\": ").await;
    browser.submit("#dataset-name").await;
    browser.says("#dataset-input-schema-err", "not JSON").await;
    browser.expect_complaint("422").await;
    assert_eq!(
        browser
            .find("#dataset-name")
            .await
            .prop("value")
            .await
            .unwrap()
            .unwrap(),
        "refunds",
        "what was entered stays"
    );
    let schema = "{\"type\": \"object\", \"required\": [\"question\"]}";
    browser.fill("#dataset-input-schema", schema).await;
    browser.submit("#dataset-name").await;
    browser.path_contains("tab=items").await;
    let made = client.get_json("/api/public/v2/datasets/refunds").await;
    assert_eq!(made["inputSchema"]["required"], json!(["question"]));

    // The name is there once.
    browser.go(&format!("{project}/datasets/new")).await;
    browser.fill("#dataset-name", "refunds").await;
    browser.submit("#dataset-name").await;
    browser
        .says("#dataset-name-err", "there is a dataset")
        .await;
    browser.expect_complaint("422").await;

    let id = made["id"].as_str().unwrap();
    let page = format!("{project}/datasets/{id}");
    browser.go(&format!("{page}/settings")).await;
    browser.fill("#dataset-name", "refunds of today").await;
    browser
        .fill("#dataset-description", "what people ask")
        .await;
    browser.submit("#dataset-name").await;
    browser.says("h1", "refunds of today").await;
    let renamed = client
        .get_json("/api/public/v2/datasets/refunds%20of%20today")
        .await;
    assert_eq!(renamed["id"], made["id"]);
    assert_eq!(renamed["description"], "what people ask");

    browser.go(&format!("{page}/settings")).await;
    browser
        .click(".section form[action$='/archive'] button")
        .await;
    browser.says(".empty", "No datasets yet").await;
    browser.go(&format!("{project}/datasets?archived=1")).await;
    browser.says("td a", "refunds of today").await;
    // Programs that name it go on as before.
    client
        .get_json("/api/public/v2/datasets/refunds%20of%20today")
        .await;
    browser.go(&format!("{page}/settings")).await;
    browser.click("button[name='back']").await;
    browser.says("td a", "refunds of today").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_is_changed_and_any_of_its_versions_comes_back() {
    let (browser, client) = Browser::in_new_project("items by hand").await;
    let project = project_path(&browser).await;
    browser.go(&format!("{project}/datasets/new")).await;
    browser.fill("#dataset-name", "capitals").await;
    let schema = "{\"type\": \"object\", \"required\": [\"of\"]}";
    browser.fill("#dataset-input-schema", schema).await;
    browser.submit("#dataset-name").await;
    browser.path_contains("tab=items").await;
    browser.click("header a[href$='/new-item']").await;
    browser.fill("#item-input", "{\"from\": \"France\"}").await;
    browser.fill("#item-expected", "\"Paris\"").await;
    browser.click("form .btn-primary").await;
    browser
        .says("[role='alert']", "does not follow the schema")
        .await;
    browser.expect_complaint("422").await;
    browser.fill("#item-input", "{\"of\": \"France\"}").await;
    browser.click("form .btn-primary").await;
    browser.path_contains("/items/").await;
    let item = browser.path().await;
    browser.shows(".item-versions li", 1).await;

    browser.fill("#item-expected", "\"Lyon\"").await;
    browser.click("form .btn-primary").await;
    browser.shows(".item-versions li", 2).await;
    browser.says(".item-versions li", "Expected output").await;
    assert_eq!(
        items(&client, "capitals").await[0]["expectedOutput"],
        "Lyon"
    );

    browser.fill("#item-metadata", "not json").await;
    browser.click("form .btn-primary").await;
    browser.says("#item-metadata-err", "not JSON").await;
    browser.expect_complaint("422").await;

    browser.go(&item).await;
    browser.click(".item-versions li:last-child a").await;
    browser.says(".said-by-us", "An earlier version").await;
    browser.click("form .btn-primary").await;
    browser.shows(".item-versions li", 3).await;
    assert_eq!(
        items(&client, "capitals").await[0]["expectedOutput"],
        "Paris"
    );

    browser.click("form[action$='/archive'] button").await;
    browser.says("header .tag", "archived").await;
    assert!(
        items(&client, "capitals").await.is_empty(),
        "runs do not take it"
    );
    browser.click("button[name='back']").await;
    browser.shows("header .tag", 0).await;
    assert_eq!(items(&client, "capitals").await.len(), 1);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_span_said_becomes_an_item_that_leads_back_to_it() {
    let (browser, client) = Browser::in_new_project("items of traces").await;
    let project = project_path(&browser).await;
    let span = SpanBuilder::root("answering")
        .attribute("langfuse.observation.input", "{\"question\":\"which\"}")
        .attribute("langfuse.observation.output", "this one");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    browser
        .go(&format!("{project}/traces/{}", span.trace_id()))
        .await;
    browser.click("a.add-to-dataset").await;
    browser.fill("#item-new-dataset", "from traces").await;
    let input = browser
        .find("#item-input")
        .await
        .prop("value")
        .await
        .unwrap();
    let input: Value = serde_json::from_str(&input.unwrap()).unwrap();
    assert_eq!(input, json!({"question": "which"}));
    browser.click("form .btn-primary").await;
    browser.path_contains("/items/").await;
    let item = items(&client, "from traces").await[0].clone();
    assert_eq!(item["expectedOutput"], "this one");
    assert_eq!(item["sourceTraceId"], span.trace_id());
    assert_eq!(item["sourceObservationId"], span.span_id());
    browser.click(".head .actions a.btn").await;
    browser.path_contains(span.trace_id()).await;

    // A second one goes into the dataset that there is now.
    browser.click("a.add-to-dataset").await;
    browser.find("#item-dataset option").await;
    browser.click("form .btn-primary").await;
    browser.path_contains("/items/").await;
    eventually("there are two", async || {
        match items(&client, "from traces").await.len() {
            2 => Ok(()),
            other => Err(other),
        }
    })
    .await;
    browser.close().await;
}
