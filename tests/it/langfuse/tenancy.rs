//! Another project's key finds nothing and changes nothing. The operations come from the document, so
//! that a new route cannot be forgotten.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::operations;
use tests::shared;

use super::datasets::Datasets;
use super::scores::Scores;
use super::{Prompts, becomes, event, found, ingest};

/// It does not say whether there was anything.
const DELETES_WHATEVER_IS_THERE: (&str, &str) = ("DELETE", "/api/public/scores/{scoreId}");

const MARK: &str = "a-secret-of-the-other-project";

/// What a request must say to get as far as looking for a thing.
fn said(method: &str, path: &str) -> Option<Value> {
    match (method, path) {
        ("PATCH", "/api/public/v2/prompts/{name}/versions/{version}") => {
            Some(json!({ "newLabels": ["taken"] }))
        }
        ("POST", "/api/public/ingestion") => Some(json!({ "batch": [] })),
        ("POST", "/api/public/v2/prompts") => Some(json!({ "name": "own", "prompt": "x" })),
        ("DELETE", "/api/public/traces") => Some(json!({ "traceIds": [MARK] })),
        ("POST", "/api/public/score-configs") => Some(json!({ "name": "n", "dataType": "TEXT" })),
        ("PATCH", "/api/public/score-configs/{configId}") => Some(json!({ "name": "taken" })),
        ("POST", "/api/public/scores") => Some(score("own")),
        ("POST", "/api/public/v2/datasets") => Some(json!({ "name": "own" })),
        ("POST", "/api/public/dataset-items") => {
            Some(json!({ "datasetName": MARK, "id": MARK, "input": "taken" }))
        }
        ("POST", "/api/public/dataset-run-items") => Some(linked()),
        _ => None,
    }
}

/// Parameters that a request needs to get as far as looking for a thing.
fn asked(path: &str, dataset: &str) -> String {
    match path {
        "/api/public/dataset-run-items" => format!("?datasetId={dataset}&runName={MARK}"),
        "/api/public/experiments" | "/api/public/experiment-items" => {
            "?fromStartTime=2020-01-01T00:00:00Z".to_owned()
        }
        _ => String::new(),
    }
}

/// What stands in paths for the thing that is marked.
const PARAMETERS: [&str; 9] = [
    "{promptName}",
    "{traceId}",
    "{observationId}",
    "{sessionId}",
    "{name}",
    "{scoreId}",
    "{datasetName}",
    "{runName}",
    "{id}",
];

/// Operations without an id in their path that name a thing otherwise.
const NAMES_A_THING: [(&str, &str); 3] = [
    ("POST", "/api/public/dataset-items"),
    ("POST", "/api/public/dataset-run-items"),
    ("GET", "/api/public/dataset-run-items"),
];

async fn dataset_with_run(datasets: &Datasets<'_>) -> [Value; 2] {
    [
        datasets.found(&format!("/datasets/{MARK}")).await,
        datasets
            .found(&format!("/datasets/{MARK}/runs/{MARK}"))
            .await,
    ]
}

fn linked() -> Value {
    json!({ "runName": MARK, "datasetItemId": MARK, "traceId": MARK, "metadata": { "m": MARK } })
}

fn score(id: &str) -> Value {
    json!({ "id": id, "traceId": id, "name": "n", "value": 1 })
}

#[tokio::test]
async fn another_projects_key_finds_nothing_and_changes_nothing() {
    let server = shared().await;
    let (victim, stranger) = (server.new_project(), server.new_project());
    let prompts = Prompts(&victim);
    prompts.text(MARK, MARK, &["production"]).await;
    let before = prompts.found(&format!("/{MARK}")).await;
    let scores = Scores(&victim);
    let config = json!({ "name": MARK, "dataType": "TEXT" });
    let config = scores.config(&config).await;
    scores.posted(&score(MARK)).await;
    let kept = [
        scores.stored(MARK).await,
        scores.found(&format!("/score-configs/{config}")).await,
    ];
    let datasets = Datasets(&victim);
    let dataset = datasets.named(MARK).await;
    let item = json!({ "datasetName": MARK, "id": MARK, "input": MARK });
    datasets.item(&item).await;
    datasets.link(&linked()).await;
    let held = dataset_with_run(&datasets).await;
    let trace = json!({"id": MARK, "name": MARK, "sessionId": MARK, "userId": MARK, "input": MARK});
    let span = json!({"id": MARK, "traceId": MARK, "name": MARK, "output": MARK});
    let events = [
        event(1, 1, "trace-create", &trace),
        event(2, 2, "span-create", &span),
    ];
    ingest(&victim, &events).await;
    let trace_path = format!("/traces/{MARK}");
    let trace_before = becomes(&victim, &trace_path, |trace| {
        trace["observations"].as_array().unwrap().len() == 1 && trace["output"] == MARK
    })
    .await;
    let mut served = 0;
    for operation in operations() {
        // OTLP has its own test.
        if !operation.path.starts_with("/api/public/") || operation.path.contains("/otel/") {
            continue;
        }
        let path = PARAMETERS
            .iter()
            .fold(operation.path.clone(), |path, name| {
                path.replace(name, MARK)
            })
            .replace("{configId}", &config)
            .replace("{version}", "1");
        let method = Method::from_bytes(operation.method.as_bytes()).unwrap();
        let body = said(&operation.method, &operation.path);
        let query = asked(&operation.path, &dataset);
        let asked = format!("{path}{query}");
        let answer = stranger.langfuse(method, &asked, body.as_ref()).await;
        if answer.status == StatusCode::NOT_FOUND && answer.body["error"].is_null()
            || answer.status == StatusCode::METHOD_NOT_ALLOWED
        {
            // Not served: see the test of the document.
            continue;
        }
        served += 1;
        assert!(
            !path.contains('{'),
            "say here what stands for the parameters of {path}"
        );
        // What is not there is deleted already, for whoever asks.
        let is_done = operation.method == "DELETE" && operation.path.contains("/traces/");
        let name = (operation.method.as_str(), operation.path.as_str());
        let names_a_thing = operation.path.contains('{') || NAMES_A_THING.contains(&name);
        if name == DELETES_WHATEVER_IS_THERE {
            assert_eq!(answer.status, StatusCode::ACCEPTED);
        } else if names_a_thing && !is_done {
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{operation:?}");
        } else {
            assert!(answer.status.is_success(), "{operation:?}: {}", answer.body);
        }
        // A name that was asked for may be repeated in the words of a failure.
        let shown = answer.status.is_success() && answer.body.to_string().contains(MARK);
        assert!(!shown, "{operation:?}: {}", answer.body);
    }
    assert!(served >= 32, "only {served} operations are served");
    assert_eq!(prompts.found(&format!("/{MARK}")).await, before);
    assert_eq!(found(&victim, &trace_path).await, trace_before);
    let after = [
        scores.stored(MARK).await,
        scores.found(&format!("/score-configs/{config}")).await,
    ];
    assert_eq!(after, kept);
    assert_eq!(dataset_with_run(&datasets).await, held);
}
