//! Attachments of items.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::super::media::{File, sent, sent_as, shown};
use super::{Datasets, assert_missing};

/// Announced as of an item, which need not be there yet.
fn announcement(file: &File, dataset: &str, item: &str) -> Value {
    let mut body = file.announcement("t");
    body["traceId"] = Value::Null;
    body["datasetId"] = json!(dataset);
    body["datasetItemId"] = json!(item);
    body
}

async fn is_there(client: &ProjectClient, file: &File) -> bool {
    shown(client, &file.id()).await.status == StatusCode::OK
}

#[tokio::test]
async fn what_an_item_names_is_told_with_its_place_and_can_be_fetched() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    let file = File::new("image/png", "a picture of an item");
    sent_as(&project, &file, &announcement(&file, &dataset, "item")).await;
    let reference = file.reference();
    let item = json!({
        "datasetName": "d", "id": "item",
        "input": {"messages": [{"content": reference}], "words": format!("as in {reference}")},
        "expectedOutput": reference,
    });
    let made = datasets.item(&item).await;
    let told = |item: &Value| -> Vec<Value> {
        let references = item["mediaReferences"].as_array().unwrap().iter();
        references
            .map(|found| {
                assert_eq!(found["referenceString"], json!(reference));
                assert_eq!(found["media"]["mediaId"], json!(file.id()));
                assert_eq!(found["media"]["contentLength"], json!(file.bytes.len()));
                json!([found["field"], found["jsonPath"]])
            })
            .collect()
    };
    let expected = [
        json!(["input", "$['messages'][0]['content']"]),
        json!(["expectedOutput", "$"]),
    ];
    assert_eq!(told(&made), expected);
    let shown = datasets.found("/dataset-items/item").await;
    assert_eq!(told(&shown), expected);
    let list = datasets.found("/dataset-items?datasetName=d").await;
    assert_eq!(told(&list["data"][0]), expected);
    let url = shown["mediaReferences"][0]["media"]["url"]
        .as_str()
        .unwrap();
    let bytes = reqwest::get(url).await.unwrap().bytes().await.unwrap();
    assert_eq!(bytes, file.bytes);
}

#[tokio::test]
async fn references_to_what_there_is_not_are_refused_and_nothing_is_written() {
    let server = shared().await;
    let (project, other) = (server.new_project(), server.new_project());
    let datasets = Datasets(&project);
    datasets.named("d").await;
    let foreign = File::new("image/png", "of another project");
    sent(&other, &foreign, "t").await;
    for reference in [
        foreign.reference(),
        File::new("image/png", "never sent").reference(),
        "@@@langfuseMedia:type=image/png|id=short|source=bytes@@@".to_owned(),
    ] {
        let item = json!({"datasetName": "d", "id": "item", "metadata": {"a": [reference]}});
        let answer = datasets.post("/dataset-items", &item).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
        assert_missing(&datasets.get("/dataset-items/item").await);
    }
}

#[tokio::test]
async fn only_items_of_a_dataset_of_the_project_have_attachments() {
    let server = shared().await;
    let (project, other) = (server.new_project(), server.new_project());
    let (one, two) = (
        Datasets(&project).named("one").await,
        Datasets(&project).named("two").await,
    );
    let foreign = Datasets(&other).named("d").await;
    let file = File::new("image/png", "whose?");
    let announce = async |dataset: &str, item: &str| {
        let body = announcement(&file, dataset, item);
        let path = "/api/public/media";
        project.langfuse(Method::POST, path, Some(&body)).await
    };
    for dataset in [&*foreign, "none", "0198f000-0000-7000-8000-000000000000"] {
        assert_missing(&announce(dataset, "item").await);
    }
    let item = json!({"datasetName": "one", "id": "item", "input": 1});
    Datasets(&project).item(&item).await;
    let elsewhere = announce(&two, "item").await.status;
    assert_eq!(elsewhere, StatusCode::BAD_REQUEST);
    assert_eq!(announce(&one, "item").await.status, StatusCode::CREATED);
    assert_eq!(announce(&two, "new").await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn attachments_go_with_the_last_item_or_trace_that_names_them() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    let trace = SpanBuilder::root("one");
    project.accept_traces(&export([&trace])).await;
    project.trace_with_spans(trace.trace_id(), 1).await;
    let (of_both, own) = (
        File::new("image/png", "named by a trace and an item"),
        File::new("image/png", "named by an item"),
    );
    sent(&project, &of_both, trace.trace_id()).await;
    sent_as(&project, &own, &announcement(&own, &dataset, "item")).await;
    let item = json!({
        "datasetName": "d", "id": "item", "input": [of_both.reference(), own.reference()],
    });
    datasets.item(&item).await;
    let path = format!("/traces/{}", trace.trace_id());
    assert_eq!(datasets.delete(&path).await.status, StatusCode::OK);
    assert!(is_there(&project, &of_both).await);
    let gone = datasets.delete("/dataset-items/item").await;
    assert_eq!(gone.status, StatusCode::OK);
    assert!(!is_there(&project, &of_both).await);
    assert!(!is_there(&project, &own).await);
}
