//! Another project's key finds nothing and changes nothing. The operations come from the document, so
//! that a new route cannot be forgotten.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::operations;
use tests::{ProjectClient, shared};

use super::organisations::doors::is_of_organisations;
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
        ("PUT", "/api/public/llm-connections") => Some(connection("own")),
        _ => None,
    }
}

fn connection(provider: &str) -> Value {
    json!({ "provider": provider, "adapter": "openai", "secretKey": MARK })
}

fn score(id: &str) -> Value {
    json!({ "id": id, "traceId": id, "name": "n", "value": 1 })
}

/// A connection of the victim's; its id.
async fn connected(victim: &ProjectClient) -> String {
    let path = "/api/public/llm-connections";
    let body = connection(MARK);
    let set = victim.langfuse(Method::PUT, path, Some(&body)).await;
    set.body["id"].as_str().unwrap().to_owned()
}

/// What the victim has beside prompts and traces.
async fn state(scores: &Scores<'_>, config: &str) -> [Value; 3] {
    [
        scores.found("/llm-connections").await,
        scores.stored(MARK).await,
        scores.found(&format!("/score-configs/{config}")).await,
    ]
}

/// A path with the victim's things in the place of its parameters.
fn filled(path: &str, config: &str, connection: &str) -> String {
    path.replace("{promptName}", MARK)
        .replace("{traceId}", MARK)
        .replace("{observationId}", MARK)
        .replace("{sessionId}", MARK)
        .replace("{name}", MARK)
        .replace("{scoreId}", MARK)
        .replace("{configId}", config)
        .replace("{version}", "1")
        .replace(
            "/llm-connections/{id}",
            &format!("/llm-connections/{connection}"),
        )
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
    let connection = connected(&victim).await;
    let kept = state(&scores, &config).await;
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
        // OTLP has its own test, and so have keys of organisations.
        if is_of_organisations(&operation.method, &operation.path) {
            continue;
        }
        if !operation.path.starts_with("/api/public/") || operation.path.contains("/otel/") {
            continue;
        }
        let path = filled(&operation.path, &config, &connection);
        let method = Method::from_bytes(operation.method.as_bytes()).unwrap();
        let body = said(&operation.method, &operation.path);
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
        // What is not there is deleted already, for whoever asks.
        let is_done = operation.method == "DELETE" && operation.path.contains("/traces/");
        if (operation.method.as_str(), operation.path.as_str()) == DELETES_WHATEVER_IS_THERE {
            assert_eq!(answer.status, StatusCode::ACCEPTED);
        } else if operation.path.contains('{') && !is_done {
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{operation:?}");
        } else {
            assert!(answer.status.is_success(), "{operation:?}: {}", answer.body);
        }
        // A name that was asked for may be repeated in the words of a failure.
        let shown = answer.status.is_success() && answer.body.to_string().contains(MARK);
        assert!(!shown, "{operation:?}: {}", answer.body);
    }
    assert!(served >= 17, "only {served} operations are served");
    assert_eq!(prompts.found(&format!("/{MARK}")).await, before);
    assert_eq!(found(&victim, &trace_path).await, trace_before);
    assert_eq!(state(&scores, &config).await, kept);
}
