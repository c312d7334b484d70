//! Experiments as newer clients tell of them: on the spans of each item.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::{Datasets, assert_refused, texts};
use crate::langfuse::scores::Scores;
use crate::langfuse::{all, becomes, escaped, found};

const FROM: &str = "fromStartTime=2026-01-01T00:00:00Z";

/// An item's root, a span below it, and what stands above the root.
struct Item {
    root: SpanBuilder,
    spans: Vec<SpanBuilder>,
}

fn part(span: SpanBuilder, experiment: &str, root: &str, item: &str) -> SpanBuilder {
    span.attribute("langfuse.experiment.id", experiment)
        .attribute("langfuse.experiment.name", format!("name of {experiment}"))
        .attribute(
            "langfuse.experiment.dataset.id",
            format!("set of {experiment}"),
        )
        .attribute("langfuse.experiment.metadata", r#"{"model":"m","n":1}"#)
        .attribute("langfuse.experiment.item.id", item)
        .attribute("langfuse.experiment.item.metadata", r#"{"level":"easy"}"#)
        .attribute("langfuse.experiment.item.root_observation_id", root)
}

/// The spans of an item, whose root is not the root of the trace.
fn item(experiment: &str, item: &str) -> Item {
    let above = SpanBuilder::root("experiment-item-run");
    let root = above.child("experiment-item-task");
    let id = root.span_id().to_owned();
    let below = part(root.child("answer"), experiment, &id, item);
    let above = part(above, experiment, &id, item);
    let root = part(root, experiment, &id, item)
        .attribute("langfuse.environment", "sdk-experiment")
        .attribute("langfuse.experiment.description", "tries things")
        .attribute("langfuse.experiment.item.expected_output", "Paris")
        .attribute(
            "langfuse.experiment.item.version",
            "2026-01-02T03:04:05.678Z",
        )
        .attribute("langfuse.observation.input", r#"{"q":"France?"}"#)
        .attribute(
            "langfuse.observation.output",
            "Paris, of course, as everybody knows; it has been for centuries.",
        )
        .attribute("langfuse.observation.metadata.k", "v");
    Item {
        spans: vec![above, root.clone(), below],
        root,
    }
}

async fn send(client: &ProjectClient, items: &[Item]) {
    let spans = items.iter().flat_map(|item| &item.spans);
    client.accept_traces(&export(spans)).await;
}

/// The experiments of a project, as soon as there are as many.
async fn experiments(client: &ProjectClient, query: &str, rows: usize) -> Value {
    let path = format!("/experiments?{FROM}&{query}");
    becomes(client, &path, |list| {
        list["data"].as_array().unwrap().len() == rows
    })
    .await
}

#[tokio::test]
async fn spans_tell_of_experiments_and_their_items() {
    let project = shared().await.new_project();
    let items = [item("first", "a"), item("first", "b"), item("second", "a")];
    send(&project, &items).await;
    let plain = SpanBuilder::root("no experiment");
    project.accept_traces(&export([&plain])).await;
    let is_whole = |list: &Value| {
        let counts: Vec<i64> = list["data"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|row| row["itemCount"].as_i64())
            .collect();
        counts.iter().sum::<i64>() == 3
    };
    let list = becomes(&project, &format!("/experiments?{FROM}"), is_whole).await;
    assert_eq!(list["meta"], json!({}));
    let first = list["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["id"] == "first")
        .unwrap();
    assert_eq!(
        (&first["name"], &first["description"], &first["datasetId"]),
        (
            &json!("name of first"),
            &json!("tries things"),
            &json!("set of first")
        )
    );
    assert_eq!(first["itemCount"], 2);
    assert!(first["startTime"].as_str() < first["endTime"].as_str());
    assert!(first.get("metadata").is_none() && first.get("scores").is_none());
    let datasets = Datasets(&project);
    let with = datasets
        .found(&format!("/experiments?{FROM}&fields=core,metadata"))
        .await;
    assert_eq!(with["data"][0]["metadata"], json!({ "model": "m", "n": 1 }));
    // What is deleted is gone.
    let gone = format!("/traces/{}", items[2].root.trace_id());
    datasets.delete(&gone).await;
    assert_eq!(
        datasets.ids(&format!("/experiments?{FROM}")).await,
        ["first"]
    );
}

#[tokio::test]
async fn items_have_the_groups_of_fields_that_are_asked_for() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let items = [item("first", "a"), item("first", "b"), item("second", "a")];
    send(&project, &items).await;
    let path = format!("/experiment-items?{FROM}");
    let are_all = |list: &Value| list["data"].as_array().unwrap().len() == 3;
    let rows = becomes(&project, &path, are_all).await;
    let row = rows["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["id"] == items[1].root.span_id())
        .unwrap();
    assert_eq!(row["traceId"], items[1].root.trace_id());
    assert_eq!(
        (
            &row["experimentId"],
            &row["experimentName"],
            &row["experimentItemId"]
        ),
        (&json!("first"), &json!("name of first"), &json!("b"))
    );
    assert_eq!(
        (&row["experimentDatasetId"], &row["experimentItemVersion"]),
        (&json!("set of first"), &json!("2026-01-02T03:04:05.678Z"))
    );
    assert_eq!(
        (&row["environment"], &row["level"]),
        (&json!("sdk-experiment"), &json!("DEFAULT"))
    );
    assert!(row.get("input").is_none() && row.get("metadata").is_none());
    let all = "fields=core,io,metadata,itemMetadata,experimentMetadata";
    let rows = datasets
        .found(&format!("{path}&{all}&experimentItemId=b"))
        .await;
    let row = &rows["data"][0];
    assert_eq!(row["input"], json!({ "q": "France?" }));
    assert!(
        row["output"]
            .as_str()
            .unwrap()
            .starts_with("Paris, of course")
    );
    assert_eq!(row["expectedOutput"], "Paris");
    assert_eq!(row["metadata"]["k"], "v");
    assert_eq!(row["experimentItemMetadata"], json!({ "level": "easy" }));
    assert_eq!(row["experimentMetadata"], json!({ "model": "m", "n": 1 }));
    assert_eq!(row["experimentDescription"], "tries things");
    assert!(row.get("experimentDatasetId").is_none());
}

#[tokio::test]
async fn lists_are_narrowed_and_go_on() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let items: Vec<Item> = (0..5)
        .flat_map(|number| {
            [
                item(&format!("e{number}"), "a"),
                item(&format!("e{number}"), "b"),
            ]
        })
        .collect();
    send(&project, &items).await;
    let all = experiments(&project, "", 5).await;
    let path = format!("/experiments?{FROM}");
    assert_eq!(
        datasets.walked(&path, 2).await,
        *all["data"].as_array().unwrap()
    );
    for (query, rows) in [
        ("id=e1,e3", 2),
        ("name=name%20of%20e2", 1),
        ("datasetId=set%20of%20e2,set%20of%20e4", 2),
        ("id=e1&name=other", 0),
        ("id=%27", 0),
        ("toStartTime=2026-01-02T00:00:00Z", 0),
    ] {
        let path = format!("/experiments?{FROM}&{query}");
        assert_eq!(datasets.ids(&path).await.len(), rows, "{query}");
    }
    let ends =
        json!([{ "type": "string", "column": "name", "operator": "ends with", "value": "e3" }]);
    let path = format!("/experiments?{FROM}&filter={}", escaped(&ends));
    assert_eq!(datasets.ids(&path).await, ["e3"]);

    let walked = datasets
        .walked(&format!("/experiment-items?{FROM}"), 3)
        .await;
    let mut walked = texts(&walked, "id");
    let mut expected: Vec<&str> = items.iter().map(|item| item.root.span_id()).collect();
    expected.sort_unstable();
    walked.sort_unstable();
    assert_eq!(walked, expected);
    for (query, rows) in [
        ("experimentId=e1,e2", 4),
        ("experimentName=name%20of%20e1&experimentItemId=b", 1),
        ("datasetId=set%20of%20e0", 2),
        ("experimentItemId=c", 0),
    ] {
        let path = format!("/experiment-items?{FROM}&{query}");
        assert_eq!(datasets.ids(&path).await.len(), rows, "{query}");
    }
    let spans =
        json!([{ "type": "string", "column": "experimentId", "operator": "=", "value": "e4" }]);
    let path = format!("/v2/observations?filter={}", escaped(&spans));
    assert_eq!(datasets.ids(&path).await.len(), 6);
}

#[tokio::test]
async fn roots_of_items_are_told_from_other_observations() {
    let client = shared().await.new_project();
    let sent = item("e", "i");
    let root = sent.root.span_id().to_owned();
    send(&client, &[sent]).await;
    experiments(&client, "", 1).await;
    for path in ["/observations", "/v2/observations"] {
        for (is_root, rows) in [(true, 1), (false, 2)] {
            let filter = json!([{
                "type": "boolean", "column": "isExperimentItemRootSpan", "operator": "=", "value": is_root,
            }]);
            let list = found(&client, &format!("{path}?filter={}", escaped(&filter))).await;
            let ids = all(&list, "id");
            assert_eq!(ids.len(), rows, "{path} {is_root}");
            assert_eq!(ids.contains(&&json!(root)), is_root, "{path} {is_root}");
        }
    }
}

#[tokio::test]
async fn a_span_that_comes_again_is_one_item() {
    let project = shared().await.new_project();
    let item = item("e", "a");
    send(&project, std::slice::from_ref(&item)).await;
    experiments(&project, "", 1).await;
    send(&project, std::slice::from_ref(&item)).await;
    let later = item
        .root
        .clone()
        .attribute("langfuse.observation.metadata.later", "yes");
    project.accept_traces(&export([&later])).await;
    let path = format!("/experiment-items?{FROM}&fields=core,metadata");
    becomes(&project, &path, |list| {
        list["data"][0]["metadata"]["later"] == "yes" && list["data"].as_array().unwrap().len() == 1
    })
    .await;
    let list = experiments(&project, "", 1).await;
    assert_eq!(list["data"][0]["itemCount"], 1);
}

#[tokio::test]
async fn scores_stand_at_experiments_and_items() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let scores = Scores(&project);
    let item = item("e", "a");
    send(&project, std::slice::from_ref(&item)).await;
    experiments(&project, "", 1).await;
    let (trace, root) = (item.root.trace_id(), item.root.span_id());
    let child = item.spans[2].span_id();
    for (id, score) in [
        ("run-1", json!({ "datasetRunId": "e", "value": 1 })),
        (
            "run-2",
            json!({ "datasetRunId": "e", "value": 0.5, "comment": "why" }),
        ),
        (
            "of-root",
            json!({ "traceId": trace, "observationId": root, "value": true, "dataType": "BOOLEAN" }),
        ),
        ("of-trace", json!({ "traceId": trace, "value": "good" })),
        (
            "of-child",
            json!({ "traceId": trace, "observationId": child, "value": 7 }),
        ),
    ] {
        let mut score = score;
        score["id"] = json!(id);
        score["name"] = json!("quality");
        scores.posted(&score).await;
        scores.stored(id).await;
    }
    let ids = |scores: &Value| -> Vec<String> {
        let mut ids: Vec<String> = scores
            .as_array()
            .unwrap()
            .iter()
            .map(|score| score["id"].as_str().unwrap().to_owned())
            .collect();
        ids.sort_unstable();
        ids
    };
    let list = datasets
        .found(&format!("/experiments?{FROM}&fields=scores"))
        .await;
    let its = &list["data"][0]["scores"];
    assert_eq!(ids(its), ["run-1", "run-2"]);
    assert_eq!(
        its[0]["subject"],
        json!({ "kind": "experiment", "id": "e" })
    );
    let one = format!("/experiments?{FROM}&fields=core,scores&scoreLimit=1");
    assert_eq!(
        datasets.found(&one).await["data"][0]["scores"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let list = datasets
        .found(&format!("/experiment-items?{FROM}&fields=scores"))
        .await;
    assert_eq!(ids(&list["data"][0]["scores"]), ["of-root", "of-trace"]);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    for list in ["experiments", "experiment-items"] {
        let unbounded = datasets.get(&format!("/{list}")).await;
        assert_refused(&unbounded, Some("fromStartTime"));
        for (query, field) in [
            ("toStartTime=x", "toStartTime"),
            ("limit=101", "limit"),
            ("scoreLimit=51", "scoreLimit"),
            ("fields=everything", "fields"),
            ("cursor=nonsense", "cursor"),
            ("filter=x", "filter"),
        ] {
            let answer = datasets.get(&format!("/{list}?{FROM}&{query}")).await;
            assert_refused(&answer, Some(field));
        }
        let nothing = datasets.get(&format!("/{list}?{FROM}")).await;
        assert_eq!(
            (nothing.status, nothing.body),
            (StatusCode::OK, json!({ "data": [], "meta": {} }))
        );
    }
}
