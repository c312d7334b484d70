//! Datasets themselves: made, changed, found by name, listed.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::{Datasets, assert_missing, assert_refused};

#[tokio::test]
async fn a_name_that_comes_again_is_the_same_dataset() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let schema = json!({ "type": "object" });
    let first = datasets
        .dataset(&json!({
            "name": "qa",
            "description": "questions",
            "metadata": { "team": "a" },
            "inputSchema": schema,
            "expectedOutputSchema": { "type": ["string", "null"] },
        }))
        .await;
    assert_eq!(first["projectId"], project.project_id.clone().unwrap());
    let again = datasets
        .dataset(&json!({ "name": "qa", "description": null, "metadata": null }))
        .await;
    for field in [
        "id",
        "description",
        "metadata",
        "inputSchema",
        "expectedOutputSchema",
        "createdAt",
    ] {
        assert_eq!(again[field], first[field], "{field}");
    }
    let without = json!({ "name": "qa", "metadata": [1], "inputSchema": null });
    let without = datasets.dataset(&without).await;
    assert_eq!(
        (&without["inputSchema"], &without["metadata"]),
        (&Value::Null, &json!([1]))
    );
    assert_eq!(datasets.found("/v2/datasets/qa").await, without);
    let plain = datasets.dataset(&json!({ "name": "plain" })).await;
    assert_eq!(
        (&plain["description"], &plain["metadata"]),
        (&Value::Null, &Value::Null)
    );
    let list = datasets.found("/v2/datasets?limit=1").await;
    assert_eq!(list["data"], json!([plain]));
    let meta = json!({ "page": 1, "limit": 1, "totalItems": 2, "totalPages": 2 });
    assert_eq!(list["meta"], meta);
    assert_eq!(
        datasets.found("/v2/datasets?limit=1&page=2").await["data"],
        json!([without])
    );
    assert_missing(&datasets.get("/v2/datasets/other").await);
    assert_missing(&datasets.get("/v2/datasets/%00").await);
}

#[tokio::test]
async fn names_may_be_paths_however_often_they_are_encoded() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let id = datasets.named("team/100% qa").await;
    datasets
        .item(&json!({ "datasetName": "team/100% qa", "id": "i" }))
        .await;
    datasets
        .link(&json!({ "runName": "run/1", "datasetItemId": "i", "traceId": "t" }))
        .await;
    let (once, twice) = ("team%2F100%25%20qa", "team%252F100%2525%2520qa");
    for name in ["team/100%25%20qa", once, twice] {
        let shown = datasets.found(&format!("/v2/datasets/{name}")).await;
        assert_eq!(shown["id"], id, "{name}");
    }
    for name in [once, twice] {
        assert_eq!(datasets.found(&format!("/datasets/{name}")).await["id"], id);
        assert_eq!(
            datasets
                .ids(&format!("/dataset-items?datasetName={name}"))
                .await,
            ["i"]
        );
        let runs = datasets.found(&format!("/datasets/{name}/runs")).await;
        assert_eq!(runs["data"][0]["name"], "run/1");
        for run in ["run%2F1", "run%252F1"] {
            let run = datasets
                .found(&format!("/datasets/{name}/runs/{run}"))
                .await;
            assert_eq!(run["datasetRunItems"][0]["datasetItemId"], "i");
        }
    }
    // What is written once goes before what it may be decoded once more.
    let encoded = datasets.named(once).await;
    assert_eq!(
        datasets.found(&format!("/v2/datasets/{twice}")).await["id"],
        encoded
    );
    assert_eq!(
        datasets.found(&format!("/v2/datasets/{once}")).await["id"],
        id
    );
}

#[tokio::test]
async fn the_first_version_shows_items_and_runs_along() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let made = datasets
        .accepted("/datasets", &json!({ "name": "d" }))
        .await;
    assert_eq!((&made["items"], &made["runs"]), (&json!([]), &json!([])));
    for id in ["a", "b"] {
        datasets
            .item(&json!({ "datasetName": "d", "id": id, "input": { "q": id } }))
            .await;
    }
    datasets
        .item(&json!({ "datasetName": "d", "id": "old", "status": "ARCHIVED" }))
        .await;
    datasets
        .link(&json!({ "runName": "r", "datasetItemId": "a", "traceId": "t" }))
        .await;
    let shown = datasets.found("/datasets/d").await;
    assert_eq!(shown["items"][0]["input"], json!({ "q": "b" }));
    assert_eq!(shown["items"][1]["mediaReferences"], json!([]));
    assert_eq!(
        (shown["items"].as_array().unwrap().len(), &shown["runs"]),
        (2, &json!(["r"]))
    );
    let list = datasets.found("/datasets").await;
    assert_eq!(list["data"][0]["items"], json!(["b", "a"]));
    assert_eq!(list["data"][0]["runs"], json!(["r"]));
    assert_eq!(list["meta"]["totalItems"], 1);
    assert_missing(&datasets.get("/datasets/other").await);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_by_its_field() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    for (field, wrong) in [
        ("name", json!({})),
        ("name", json!({ "name": "" })),
        ("name", json!({ "name": "x".repeat(501) })),
        ("name", json!({ "name": "a\u{0}b" })),
        ("description", json!({ "name": "d", "description": 1 })),
        (
            "description",
            json!({ "name": "d", "description": "a\u{0}b" }),
        ),
        ("inputSchema", json!({ "name": "d", "inputSchema": "x" })),
        (
            "inputSchema",
            json!({ "name": "d", "inputSchema": { "type": "colour" } }),
        ),
        (
            "expectedOutputSchema",
            json!({ "name": "d", "expectedOutputSchema": { "$ref": "https://example.com/s" } }),
        ),
    ] {
        let answer = datasets.post("/v2/datasets", &wrong).await;
        assert_refused(&answer, Some(field));
    }
    // A dataset that was not accepted is not there.
    assert_missing(&datasets.get("/v2/datasets/d").await);
    assert_refused(&datasets.get("/v2/datasets?limit=101").await, Some("limit"));
    let large = json!({ "name": "d", "metadata": "x".repeat(1024 * 1024) });
    let answer = datasets.post("/v2/datasets", &large).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    let answer = datasets.ask(Method::PATCH, "/v2/datasets", None).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(answer.body["error"], "MethodNotAllowedError");
}

#[tokio::test]
async fn items_follow_the_schemas_of_their_dataset() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    let text =
        json!({ "type": "object", "properties": { "q": { "type": "string" } }, "required": ["q"] });
    datasets.named("d").await;
    let item = |id: &str, input: Value| json!({ "datasetName": "d", "id": id, "input": input });
    datasets.item(&item("good", json!({ "q": "?" }))).await;
    datasets.item(&item("bad", json!({ "q": 1 }))).await;
    let strict = json!({ "name": "d", "inputSchema": text });
    let answer = datasets.post("/v2/datasets", &strict).await;
    assert_refused(&answer, None);
    let words = answer.body["message"].as_str().unwrap();
    assert!(
        words.contains("bad: input") && !words.contains("good"),
        "{words}"
    );
    assert_eq!(
        datasets.found("/v2/datasets/d").await["inputSchema"],
        Value::Null
    );
    // What nobody uses any more is in nobody's way.
    datasets
        .item(&json!({ "datasetName": "d", "id": "bad", "status": "ARCHIVED" }))
        .await;
    datasets.dataset(&strict).await;
    for wrong in [
        item("new", json!({ "q": 1 })),
        item("good", json!("text")),
        json!({ "datasetName": "d", "id": "new" }),
        json!({ "datasetName": "d", "id": "bad", "status": "ACTIVE" }),
    ] {
        let answer = datasets.post("/dataset-items", &wrong).await;
        assert_refused(&answer, None);
        let words = answer.body["message"].as_str().unwrap();
        assert!(words.contains("input does not follow"), "{words}");
    }
    assert_eq!(datasets.ids("/dataset-items?datasetName=d").await, ["good"]);
    // A part that is changed is held together with what stays.
    let metadata = json!({ "datasetName": "d", "id": "good", "metadata": { "m": 1 } });
    assert_eq!(datasets.item(&metadata).await["input"], json!({ "q": "?" }));
    let answers = json!({ "name": "d", "expectedOutputSchema": { "type": "string" } });
    assert_refused(&datasets.post("/v2/datasets", &answers).await, None);
}
