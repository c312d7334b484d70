//! Items: written, read, archived, deleted.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::shared;
use tokio::task::JoinSet;

use super::{Datasets, assert_missing, assert_refused};

#[tokio::test]
async fn an_item_that_comes_again_keeps_what_is_not_said() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let dataset = datasets.named("d").await;
    let first = datasets
        .item(&json!({
            "datasetName": "d",
            "id": "i",
            "input": { "q": [1, 2.5, "x", null] },
            "expectedOutput": "a",
            "sourceTraceId": "t",
            "sourceObservationId": "o",
        }))
        .await;
    assert_eq!(first["datasetId"], dataset);
    assert_eq!(
        (&first["status"], &first["datasetName"], &first["metadata"]),
        (&json!("ACTIVE"), &json!("d"), &Value::Null)
    );
    assert_eq!(first["mediaReferences"], json!([]));
    let second = json!({ "datasetName": "d", "id": "i", "metadata": { "m": 1 } });
    let second = datasets.item(&second).await;
    let third = json!({
        "datasetName": "d",
        "id": "i",
        "input": null,
        "expectedOutput": null,
        "metadata": { "n": 2 },
        "sourceTraceId": null,
        "status": null,
    });
    let third = datasets.item(&third).await;
    for field in [
        "input",
        "expectedOutput",
        "sourceTraceId",
        "sourceObservationId",
        "createdAt",
        "status",
    ] {
        assert_eq!(second[field], first[field], "{field}");
        assert_eq!(third[field], first[field], "{field}");
    }
    assert_eq!(third["metadata"], json!({ "n": 2 }));
    assert!(third["updatedAt"].as_str() > second["updatedAt"].as_str());
    assert_eq!(datasets.found("/dataset-items/i").await, third);
    let unnamed = datasets
        .item(&json!({ "datasetName": "d", "input": false }))
        .await;
    assert_eq!(unnamed["input"], false);
    assert!(!unnamed["id"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn lists_are_newest_first_and_narrowed() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("a").await;
    datasets.named("b").await;
    for (number, dataset) in ["a", "a", "b", "a"].into_iter().enumerate() {
        datasets
            .item(&json!({
                "datasetName": dataset,
                "id": format!("{dataset}{number}"),
                "sourceTraceId": format!("trace-{}", number % 2),
                "sourceObservationId": format!("span-{number}"),
            }))
            .await;
    }
    assert_eq!(
        datasets.ids("/dataset-items").await,
        ["a3", "b2", "a1", "a0"]
    );
    assert_eq!(
        datasets.ids("/dataset-items?datasetName=a").await,
        ["a3", "a1", "a0"]
    );
    assert_eq!(
        datasets
            .ids("/dataset-items?datasetName=a&limit=2&page=2")
            .await,
        ["a0"]
    );
    assert_eq!(
        datasets.ids("/dataset-items?sourceTraceId=trace-1").await,
        ["a3", "a1"]
    );
    let both = "/dataset-items?sourceTraceId=trace-0&sourceObservationId=span-2";
    assert_eq!(datasets.ids(both).await, ["b2"]);
    let page = datasets.found("/dataset-items?datasetName=a&limit=2").await;
    let meta = json!({ "page": 1, "limit": 2, "totalItems": 3, "totalPages": 2 });
    assert_eq!(page["meta"], meta);
    assert_missing(&datasets.get("/dataset-items?datasetName=none").await);
    assert_refused(&datasets.get("/dataset-items?limit=0").await, Some("limit"));
    assert_refused(
        &datasets
            .get("/dataset-items?version=2026-11-03T10:00:00Z")
            .await,
        Some("version"),
    );
}

#[tokio::test]
async fn what_is_archived_can_be_read_and_used_again_but_is_not_listed() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    let status = |status: &str| json!({ "datasetName": "d", "id": "i", "status": status });
    datasets.item(&status("ACTIVE")).await;
    datasets.item(&status("ARCHIVED")).await;
    assert_eq!(datasets.ids("/dataset-items?datasetName=d").await, [""; 0]);
    assert_eq!(
        datasets.found("/dataset-items/i").await["status"],
        "ARCHIVED"
    );
    let link = json!({ "runName": "r", "datasetItemId": "i", "traceId": "t" });
    assert_missing(&datasets.post("/dataset-run-items", &link).await);
    datasets.item(&status("ACTIVE")).await;
    datasets.link(&link).await;
    assert_eq!(datasets.ids("/dataset-items?datasetName=d").await, ["i"]);
}

#[tokio::test]
async fn what_is_deleted_is_gone_and_its_id_is_free() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    datasets.named("other").await;
    let here = json!({ "datasetName": "d", "id": "i", "input": 1, "metadata": { "m": 1 } });
    let made = datasets.item(&here).await;
    let there = json!({ "datasetName": "other", "id": "i", "input": 2 });
    let taken = datasets.post("/dataset-items", &there).await;
    assert_eq!(taken.status, StatusCode::CONFLICT);
    assert_eq!(taken.body["error"], "LangfuseConflictError");
    assert_eq!(datasets.found("/dataset-items/i").await, made);
    let gone = datasets.delete("/dataset-items/i").await;
    assert_eq!(gone.status, StatusCode::OK);
    assert_eq!(
        gone.body,
        json!({ "message": "Dataset item successfully deleted" })
    );
    assert_missing(&datasets.get("/dataset-items/i").await);
    assert_missing(&datasets.delete("/dataset-items/i").await);
    assert_eq!(datasets.ids("/dataset-items").await, [""; 0]);
    let new = datasets.item(&there).await;
    assert_eq!((&new["input"], &new["metadata"]), (&json!(2), &Value::Null));
    assert!(new["createdAt"].as_str() > made["createdAt"].as_str());
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_and_control_characters_go() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    for (field, wrong) in [
        ("datasetName", json!({ "input": 1 })),
        ("datasetName", json!({ "datasetName": "a\u{0}" })),
        ("id", json!({ "datasetName": "d", "id": "" })),
        ("id", json!({ "datasetName": "d", "id": "x".repeat(256) })),
        ("id", json!({ "datasetName": "d", "id": "a\u{0}b" })),
        ("status", json!({ "datasetName": "d", "status": "GONE" })),
        (
            "sourceTraceId",
            json!({ "datasetName": "d", "sourceTraceId": "a\u{0}" }),
        ),
    ] {
        let answer = datasets.post("/dataset-items", &wrong).await;
        assert_refused(&answer, Some(field));
    }
    let unknown = json!({ "datasetName": "none", "input": 1 });
    assert_missing(&datasets.post("/dataset-items", &unknown).await);
    for path in ["/dataset-items/none", "/dataset-items/a%00b"] {
        assert_missing(&datasets.get(path).await);
        assert_missing(&datasets.delete(path).await);
    }
    let odd = json!({ "datasetName": "d", "id": "é/?", "input": { "a\u{0}": "b\u{0}c\u{7}\n" } });
    let odd = datasets.item(&odd).await;
    assert_eq!(odd["input"], json!({ "a": "bc\n" }));
    assert_eq!(datasets.found("/dataset-items/%C3%A9%2F%3F").await, odd);
    let large = |bytes| json!({ "datasetName": "d", "id": "large", "input": "x".repeat(bytes) });
    datasets.item(&large(4_000_000)).await;
    let answer = datasets.post("/dataset-items", &large(4_500_001)).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn writes_of_one_item_at_once_all_count() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    let fields = ["input", "expectedOutput", "metadata"];
    let mut writes = JoinSet::new();
    for number in 0..12 {
        let project = project.clone();
        let body = json!({ "datasetName": "d", "id": "i", fields[number % 3]: number });
        writes.spawn(async move { Datasets(&project).item(&body).await });
    }
    let written = writes.join_all().await;
    let mut times: Vec<&str> = written
        .iter()
        .map(|item| item["updatedAt"].as_str().unwrap())
        .collect();
    times.sort_unstable();
    times.dedup();
    assert_eq!(times.len(), 12);
    let last = datasets.found("/dataset-items/i").await;
    for field in fields {
        assert!(last[field].is_number(), "{last}");
    }
}
