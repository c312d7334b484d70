//! Another project's key finds nothing and changes nothing. The operations come from the document, so
//! that a new route cannot be forgotten.

mod things;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::{Operation, operations};
use tests::{ProjectClient, shared};

use super::media::File;
use super::organisations::doors::is_of_organisations;
use super::scores::Scores;
use super::{escaped, event, ingest};
use things::{MARK, Things};

/// It does not say whether there was anything.
const DELETES_WHATEVER_IS_THERE: (&str, &str) = ("DELETE", "/api/public/scores/{scoreId}");

/// Operations without an id in their path that name a thing otherwise.
const NAMES_A_THING: [(&str, &str); 3] = [
    ("POST", "/api/public/dataset-items"),
    ("POST", "/api/public/dataset-run-items"),
    ("GET", "/api/public/dataset-run-items"),
];

/// What a request must say to get as far as looking for a thing.
fn said(method: &str, path: &str, own_config: &str) -> Option<Value> {
    Some(match (method, path) {
        ("PATCH", "/api/public/v2/prompts/{name}/versions/{version}") => {
            json!({ "newLabels": ["taken"] })
        }
        ("POST", "/api/public/ingestion") => json!({ "batch": [] }),
        ("POST", "/api/public/v2/prompts") => json!({ "name": "own", "prompt": "x" }),
        ("DELETE", "/api/public/traces") => json!({ "traceIds": [MARK] }),
        ("POST", "/api/public/score-configs") => json!({ "name": "n", "dataType": "TEXT" }),
        ("PATCH", "/api/public/score-configs/{configId}") => json!({ "name": "taken" }),
        ("POST", "/api/public/scores") => things::score("own"),
        ("POST", "/api/public/models") => things::model("own"),
        ("PUT", "/api/public/llm-connections") => things::connection("own"),
        ("POST", "/api/public/v2/datasets") => json!({ "name": "own" }),
        ("POST", "/api/public/dataset-items") => {
            json!({ "datasetName": MARK, "id": MARK, "input": "taken" })
        }
        ("POST", "/api/public/dataset-run-items") => things::linked(),
        ("POST", "/api/public/annotation-queues") => {
            json!({ "name": "own", "scoreConfigIds": [own_config] })
        }
        ("POST", "/api/public/comments") => json!({
            "projectId": "x", "objectType": "TRACE", "objectId": "own", "content": "x",
        }),
        ("PATCH", "/api/public/annotation-queues/{queueId}/items/{itemId}") => {
            json!({ "status": "COMPLETED" })
        }
        ("POST", "/api/public/annotation-queues/{queueId}/items") => {
            json!({ "objectId": "own", "objectType": "TRACE" })
        }
        (_, "/api/public/annotation-queues/{queueId}/assignments") => {
            json!({ "userId": "01890000-0000-7000-8000-000000000000" })
        }
        ("POST", "/api/public/media") => File::new("image/png", "own").announcement("own"),
        ("PATCH", "/api/public/media/{mediaId}") => {
            json!({ "uploadedAt": "2026-11-03T10:00:00Z", "uploadHttpStatus": 403 })
        }
        _ => return None,
    })
}

/// Parameters that a request needs to get as far as looking for a thing.
fn asked(path: &str, dataset: &str) -> String {
    match path {
        "/api/public/dataset-run-items" => format!("?datasetId={dataset}&runName={MARK}"),
        "/api/public/experiments" | "/api/public/experiment-items" => {
            "?fromStartTime=2020-01-01T00:00:00Z".to_owned()
        }
        "/api/public/metrics" | "/api/public/v2/metrics" => {
            format!("?query={}", escaped(&about_everything()))
        }
        _ => String::new(),
    }
}

fn about_everything() -> Value {
    json!({
        "view": "observations", "dimensions": [{ "field": "name" }],
        "metrics": [{ "measure": "count", "aggregation": "count" }],
        "fromTimestamp": "2020-01-01T00:00:00Z", "toTimestamp": "2100-01-01T00:00:00Z",
    })
}

/// A trace and a configuration that whoever asks needs for things of its own; the configuration's id.
async fn own_things(stranger: &ProjectClient) -> String {
    let own = json!({ "id": "own", "name": "own" });
    ingest(stranger, &[event(1, 1, "trace-create", &own)]).await;
    let config = json!({ "name": "own", "dataType": "TEXT" });
    Scores(stranger).config(&config).await
}

/// Whether the operation is about a thing that the stranger has not: it must not be found.
fn is_about_a_thing(operation: &Operation) -> bool {
    let name = (operation.method.as_str(), operation.path.as_str());
    // What is not there is deleted already, for whoever asks.
    let is_done = operation.method == "DELETE" && operation.path.contains("/traces/");
    (operation.path.contains('{') || NAMES_A_THING.contains(&name)) && !is_done
}

#[tokio::test]
async fn another_projects_key_finds_nothing_and_changes_nothing() {
    let server = shared().await;
    let (victim, stranger) = (server.new_project(), server.new_project());
    let things = Things::of(&victim).await;
    let own_config = own_things(&stranger).await;
    let mut served = 0;
    for operation in operations() {
        // OTLP has its own test, and so have keys of organisations.
        if is_of_organisations(&operation.method, &operation.path)
            || !operation.path.starts_with("/api/public/")
            || operation.path.contains("/otel/")
        {
            continue;
        }
        let path = things.path(&operation.path);
        let path = format!("{path}{}", asked(&operation.path, &things.dataset));
        let method = Method::from_bytes(operation.method.as_bytes()).unwrap();
        let body = said(&operation.method, &operation.path, &own_config);
        let answer = stranger.langfuse(method, &path, body.as_ref()).await;
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
        let name = (operation.method.as_str(), operation.path.as_str());
        if name == DELETES_WHATEVER_IS_THERE {
            assert_eq!(answer.status, StatusCode::ACCEPTED);
        } else if is_about_a_thing(&operation) {
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{operation:?}");
        } else {
            assert!(answer.status.is_success(), "{operation:?}: {}", answer.body);
        }
        // A name that was asked for may be repeated in the words of a failure.
        let shown = answer.status.is_success() && answer.body.to_string().contains(MARK);
        assert!(!shown, "{operation:?}: {}", answer.body);
    }
    assert!(served >= 60, "only {served} operations are served");
    things.are_as_before().await;
}
