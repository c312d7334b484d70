//! Experiments as older clients make them: by linking traces to a run.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::{Datasets, texts};
use crate::langfuse::{becomes, event, ingest};

const FROM: &str = "fromStartTime=2026-01-01T00:00:00Z";

/// A trace that is described as a whole, with a span below its root.
async fn send_whole(project: &ProjectClient) {
    let trace = json!({ "id": "t-whole", "name": "whole", "input": "in", "output": { "o": 1 }, "environment": "test" });
    let span = json!({ "id": "s-inner", "traceId": "t-whole", "name": "inner", "level": "WARNING", "output": "inner" });
    let root = json!({ "id": "s-root", "traceId": "t-whole", "name": "root" });
    let mut inner = span;
    inner["parentObservationId"] = json!("s-root");
    ingest(
        project,
        &[
            event(1, 1, "trace-create", &trace),
            event(2, 2, "span-create", &root),
            event(3, 3, "span-create", &inner),
        ],
    )
    .await;
    becomes(project, "/traces/t-whole", |trace| {
        trace["observations"].as_array().unwrap().len() == 2 && trace["output"] == json!({ "o": 1 })
    })
    .await;
}

#[tokio::test]
async fn runs_are_experiments_too() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    let item = json!({ "datasetName": "d", "id": "i", "expectedOutput": { "a": 1 }, "metadata": { "m": 2 } });
    datasets.item(&item).await;
    send_whole(&project).await;
    let link = |run: &str, trace: &str, observation: Value| {
        json!({
            "runName": run,
            "runDescription": "by links",
            "metadata": { "n": 1 },
            "datasetItemId": "i",
            "traceId": trace,
            "observationId": observation,
        })
    };
    let run = datasets.link(&link("old", "t-whole", Value::Null)).await["datasetRunId"].clone();
    datasets
        .link(&link("old", "t-whole", json!("s-inner")))
        .await;
    datasets.link(&link("old", "t-never", Value::Null)).await;
    let list = datasets
        .found(&format!("/experiments?{FROM}&fields=core,metadata"))
        .await;
    let row = &list["data"][0];
    assert_eq!(
        (&row["id"], &row["name"], &row["itemCount"]),
        (&run, &json!("old"), &json!(3))
    );
    assert_eq!(
        (&row["datasetId"], &row["description"], &row["metadata"]),
        (&json!(dataset), &json!("by links"), &json!({ "n": 1 }))
    );
    let fields = "fields=core,dataset,io,itemMetadata,experimentMetadata,scores";
    let rows = datasets
        .found(&format!("/experiment-items?{FROM}&{fields}"))
        .await;
    let [never, inner, whole] = rows["data"].as_array().unwrap().as_slice() else {
        panic!("{rows}")
    };
    assert_eq!(
        (&whole["id"], &whole["traceId"]),
        (&json!("s-root"), &json!("t-whole"))
    );
    assert_eq!(
        (&whole["input"], &whole["output"]),
        (&json!("in"), &json!({ "o": 1 }))
    );
    assert_eq!(whole["environment"], "test");
    assert_eq!(
        (&whole["expectedOutput"], &whole["experimentItemMetadata"]),
        (&json!({ "a": 1 }), &json!({ "m": 2 }))
    );
    assert_eq!(
        (&whole["experimentId"], &whole["experimentDatasetId"]),
        (&run, &json!(dataset))
    );
    assert_eq!(
        (&inner["id"], &inner["level"]),
        (&json!("s-inner"), &json!("WARNING"))
    );
    assert_eq!(inner["output"], "inner");
    assert_eq!(
        (&never["id"], &never["traceId"], &never["endTime"]),
        (&json!("t-never"), &json!("t-never"), &Value::Null)
    );
}

#[tokio::test]
async fn both_ways_stand_in_one_list_and_a_run_that_came_both_ways_once() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    datasets
        .item(&json!({ "datasetName": "d", "id": "i" }))
        .await;
    let mut ids = Vec::new();
    let mut spans = Vec::new();
    for (number, run) in ["links 1", "both", "links 2"].into_iter().enumerate() {
        let span = SpanBuilder::root("experiment-item-run");
        let link = json!({
            "runName": run,
            "datasetItemId": "i",
            "traceId": span.trace_id(),
            "observationId": span.span_id(),
        });
        let id = datasets.link(&link).await["datasetRunId"]
            .as_str()
            .unwrap()
            .to_owned();
        let root = span.span_id().to_owned();
        spans.push(if number == 1 {
            span.attribute("langfuse.experiment.id", id.as_str())
                .attribute("langfuse.experiment.name", run)
                .attribute("langfuse.experiment.dataset.id", dataset.as_str())
                .attribute("langfuse.experiment.item.id", "i")
                .attribute("langfuse.experiment.item.root_observation_id", root)
        } else {
            span
        });
        ids.push(id);
    }
    project.accept_traces(&export(&spans)).await;
    for span in &spans {
        becomes(&project, &format!("/traces/{}", span.trace_id()), |_| true).await;
    }
    // Spans began two seconds ago, the runs only now.
    let newest_first = [ids[2].as_str(), ids[0].as_str(), ids[1].as_str()];
    for size in [1, 2, 3, 50] {
        let rows = datasets.walked(&format!("/experiments?{FROM}"), size).await;
        assert_eq!(texts(&rows, "id"), newest_first, "{size}");
        let rows = datasets
            .walked(&format!("/experiment-items?{FROM}"), size)
            .await;
        let expected = [spans[1].span_id(), spans[2].span_id(), spans[0].span_id()];
        assert_eq!(texts(&rows, "id"), expected, "{size}");
    }
    for (query, rows) in [
        (format!("experiments?{FROM}&datasetId={dataset}"), 3),
        (format!("experiments?{FROM}&datasetId=none"), 0),
        (format!("experiments?{FROM}&name=links%201,both"), 2),
        (format!("experiments?{FROM}&id={}", ids[0]), 1),
        (
            format!("experiments?{FROM}&toStartTime=2026-01-02T00:00:00Z"),
            0,
        ),
        (
            format!("experiment-items?{FROM}&experimentName=links%202"),
            1,
        ),
        (format!("experiment-items?{FROM}&experimentItemId=i"), 3),
        (format!("experiment-items?{FROM}&experimentItemId=other"), 0),
    ] {
        assert_eq!(
            datasets.ids(&format!("/{query}")).await.len(),
            rows,
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_run_that_only_spans_tell_of_is_a_run_of_its_dataset() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    datasets
        .item(&json!({ "datasetName": "d", "id": "i" }))
        .await;
    datasets
        .link(&json!({ "runName": "linked", "datasetItemId": "i", "traceId": "t" }))
        .await;
    let told = |run: &str, dataset: &str| {
        let span = SpanBuilder::root("task");
        let root = span.span_id().to_owned();
        span.attribute("langfuse.experiment.id", run)
            .attribute("langfuse.experiment.name", format!("{run}/1"))
            .attribute("langfuse.experiment.metadata", r#"{"n":1}"#)
            .attribute("langfuse.experiment.dataset.id", dataset)
            .attribute("langfuse.experiment.item.id", "i")
            .attribute("langfuse.experiment.item.root_observation_id", root)
    };
    let spans = [told("told", &dataset), told("other", "another dataset")];
    project.accept_traces(&export(&spans)).await;
    let path = "/datasets/d/runs";
    let two = |list: &Value| list["data"].as_array().unwrap().len() == 2;
    let list = becomes(&project, path, two).await;
    assert_eq!(
        texts(list["data"].as_array().unwrap(), "name"),
        ["linked", "told/1"]
    );
    assert_eq!(list["meta"]["totalItems"], 2);
    let second = datasets.found(&format!("{path}?limit=1&page=2")).await;
    assert_eq!(second["data"][0], list["data"][1]);
    let run = datasets.found("/datasets/d/runs/told%2F1").await;
    assert_eq!(
        (&run["id"], &run["metadata"], &run["datasetId"]),
        (&json!("told"), &json!({ "n": 1 }), &json!(dataset))
    );
    let link = &run["datasetRunItems"][0];
    assert_eq!(
        (&link["datasetItemId"], &link["traceId"]),
        (&json!("i"), &json!(spans[0].trace_id()))
    );
    assert_eq!(link["observationId"], spans[0].span_id());
    let path = format!("/dataset-run-items?datasetId={dataset}&runName=told/1");
    let links = datasets.found(&path).await;
    assert_eq!(links["data"], run["datasetRunItems"]);
    assert_eq!(links["meta"]["totalItems"], 1);
    // Its spans make it a run no more, but the experiment is still there.
    let gone = datasets.delete("/datasets/d/runs/told%2F1").await;
    assert!(gone.status.is_success(), "{}", gone.body);
    super::assert_missing(&datasets.get("/datasets/d/runs/told%2F1").await);
    super::assert_missing(&datasets.get(&path).await);
    let list = datasets.found("/datasets/d/runs").await;
    assert_eq!(texts(list["data"].as_array().unwrap(), "name"), ["linked"]);
    assert_eq!(list["meta"]["totalItems"], 1);
    let experiments = format!("/experiments?{FROM}&id=told");
    assert_eq!(datasets.ids(&experiments).await, ["told"]);
    super::assert_missing(&datasets.get("/datasets/d/runs/other%2F1").await);
}
