//! Runs over datasets.

use domain::dataset::{RunId, RunName};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::{Datasets, assert_missing, assert_refused};
use crate::langfuse::{becomes, event, ingest};

#[tokio::test]
async fn a_run_is_made_with_its_first_link_and_keeps_what_was_said_first() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    for id in ["a", "b"] {
        datasets
            .item(&json!({ "datasetName": "d", "id": id }))
            .await;
    }
    // A trace that never came.
    let first = json!({
        "runName": "r",
        "runDescription": "first",
        "metadata": { "n": 1 },
        "datasetItemId": "a",
        "traceId": "t1",
        "observationId": "o1",
    });
    let made = datasets.link(&first).await;
    assert_eq!(
        (&made["traceId"], &made["observationId"]),
        (&json!("t1"), &json!("o1"))
    );
    assert_eq!(
        (&made["datasetRunName"], &made["datasetItemId"]),
        (&json!("r"), &json!("a"))
    );
    assert_eq!(
        datasets.link(&first).await,
        made,
        "the same link is the same"
    );
    let second = json!({
        "runName": "r",
        "runDescription": "second",
        "metadata": { "n": 2 },
        "datasetItemId": "b",
        "traceId": "t2",
    });
    let other = datasets.link(&second).await;
    assert_eq!(other["datasetRunId"], made["datasetRunId"]);
    assert_ne!(other["id"], made["id"]);
    let bare = json!({ "runName": "r", "datasetItemId": "b", "traceId": "t3" });
    datasets.link(&bare).await;
    let run = datasets.found("/datasets/d/runs/r").await;
    assert_eq!(
        (&run["description"], &run["metadata"]),
        (&json!("first"), &json!({ "n": 1 }))
    );
    assert_eq!(
        (&run["id"], &run["datasetId"]),
        (&made["datasetRunId"], &json!(dataset))
    );
    let traces = run["datasetRunItems"].as_array().unwrap().iter();
    let traces: Vec<&Value> = traces.map(|link| &link["traceId"]).collect();
    assert_eq!(traces, ["t3", "t2", "t1"]);
    let path = format!("/dataset-run-items?datasetId={dataset}&runName=r&limit=2&page=2");
    let page = datasets.found(&path).await;
    assert_eq!(page["data"], json!([made]));
    assert_eq!(page["meta"]["totalItems"], 3);
}

#[tokio::test]
async fn the_id_of_a_run_is_the_one_that_clients_work_out() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    datasets
        .item(&json!({ "datasetName": "d", "id": "i" }))
        .await;
    let link = json!({ "runName": "é \"1\"", "datasetItemId": "i", "traceId": "t" });
    let made = datasets.link(&link).await;
    let name = RunName::parse("é \"1\"").unwrap();
    let owner = project.project_id.as_deref().unwrap().parse().unwrap();
    let expected = RunId::of(owner, dataset.parse().unwrap(), &name);
    assert_eq!(made["datasetRunId"], expected.as_str());
}

#[tokio::test]
async fn runs_are_listed_newest_first_and_deleted() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    datasets
        .item(&json!({ "datasetName": "d", "id": "i" }))
        .await;
    for run in ["one", "two", "three"] {
        let link = json!({ "runName": run, "datasetItemId": "i", "traceId": run });
        datasets.link(&link).await;
    }
    let names = async |query: &str| {
        let list = datasets.found(&format!("/datasets/d/runs{query}")).await;
        let rows = list["data"].as_array().unwrap().iter();
        let names: Vec<String> = rows
            .map(|run| run["name"].as_str().unwrap().to_owned())
            .collect();
        (names.join(","), list["meta"]["totalItems"].clone())
    };
    assert_eq!(names("").await, ("three,two,one".to_owned(), json!(3)));
    assert_eq!(names("?limit=2&page=2").await, ("one".to_owned(), json!(3)));
    let gone = datasets.delete("/datasets/d/runs/two").await;
    assert_eq!(gone.status, StatusCode::OK);
    assert_eq!(
        gone.body,
        json!({ "message": "Dataset run successfully deleted" })
    );
    assert_eq!(names("").await, ("three,one".to_owned(), json!(2)));
    assert_missing(&datasets.delete("/datasets/d/runs/two").await);
    assert_missing(&datasets.get("/datasets/d/runs/two").await);
    assert_missing(&datasets.get("/datasets/none/runs").await);
    assert_missing(&datasets.get("/datasets/none/runs/one").await);
    for path in [
        format!("/dataset-run-items?datasetId={dataset}&runName=two"),
        "/dataset-run-items?datasetId=none&runName=one".to_owned(),
    ] {
        assert_missing(&datasets.get(&path).await);
    }
    for (path, field) in [
        ("/dataset-run-items?runName=one", "datasetId"),
        ("/dataset-run-items?datasetId=x", "runName"),
    ] {
        assert_refused(&datasets.get(path).await, Some(field));
    }
    // Its name is free, and what its items were is not known any more.
    let again = json!({ "runName": "two", "datasetItemId": "i", "traceId": "new" });
    datasets.link(&again).await;
    let links = datasets.found("/datasets/d/runs/two").await;
    assert_eq!(links["datasetRunItems"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_observation_alone_is_looked_for() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    datasets
        .item(&json!({ "datasetName": "d", "id": "i" }))
        .await;
    let link = json!({ "runName": "r", "datasetItemId": "i", "observationId": "o-alone" });
    assert_missing(&datasets.post("/dataset-run-items", &link).await);
    let span = json!({ "id": "o-alone", "traceId": "t-alone", "name": "n" });
    ingest(&project, &[event(1, 1, "span-create", &span)]).await;
    becomes(&project, "/traces/t-alone", |_| true).await;
    let made = datasets.link(&link).await;
    assert_eq!(made["traceId"], "t-alone");
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    datasets
        .item(&json!({ "datasetName": "d", "id": "i" }))
        .await;
    let with = |field: &str, value: Value| {
        let mut body = json!({ "runName": "r", "datasetItemId": "i", "traceId": "t" });
        body[field] = value;
        body
    };
    for (field, wrong) in [
        ("runName", with("runName", Value::Null)),
        ("runName", with("runName", json!(""))),
        ("runName", with("runName", json!("a\u{0}b"))),
        ("runDescription", with("runDescription", json!("a\u{0}b"))),
        ("datasetItemId", with("datasetItemId", Value::Null)),
        ("traceId", with("traceId", Value::Null)),
        ("traceId", with("traceId", json!("a\u{0}b"))),
        ("createdAt", with("createdAt", json!("yesterday"))),
        ("datasetVersion", with("datasetVersion", json!(1))),
    ] {
        let answer = datasets.post("/dataset-run-items", &wrong).await;
        assert_refused(&answer, Some(field));
    }
    let unknown = datasets
        .post("/dataset-run-items", &with("more", json!(1)))
        .await;
    assert_refused(&unknown, None);
    assert_eq!(unknown.body["error"][0]["code"], "unrecognized_keys");
    assert_missing(
        &datasets
            .post("/dataset-run-items", &with("datasetItemId", json!("x")))
            .await,
    );
    let past = datasets
        .link(&with("createdAt", json!("2026-01-02T03:04:05.678Z")))
        .await;
    assert_eq!(past["createdAt"], "2026-01-02T03:04:05.678Z");
    let put = datasets.ask(Method::PUT, "/dataset-run-items", None).await;
    assert_eq!(put.status, StatusCode::METHOD_NOT_ALLOWED);
}
