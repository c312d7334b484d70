//! Another project's key finds nothing and changes nothing. The operations come from the document, so
//! that a new route cannot be forgotten.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::operations;
use tests::shared;

use super::media::File;
use super::scores::Scores;
use super::{Prompts, annotation, becomes, comments, event, found, ingest, media};

/// It does not say whether there was anything.
const DELETES_WHATEVER_IS_THERE: (&str, &str) = ("DELETE", "/api/public/scores/{scoreId}");

const MARK: &str = "a-secret-of-the-other-project";

/// What a request must say to get as far as looking for a thing.
fn said(method: &str, path: &str, own_config: &str) -> Option<Value> {
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
        ("POST", "/api/public/annotation-queues") => {
            Some(json!({ "name": "own", "scoreConfigIds": [own_config] }))
        }
        ("POST", "/api/public/comments") => Some(json!({
            "projectId": "x", "objectType": "TRACE", "objectId": "own", "content": "x",
        })),
        ("PATCH", "/api/public/annotation-queues/{queueId}/items/{itemId}") => {
            Some(json!({ "status": "COMPLETED" }))
        }
        ("POST", "/api/public/annotation-queues/{queueId}/items") => {
            Some(json!({ "objectId": "own", "objectType": "TRACE" }))
        }
        (_, "/api/public/annotation-queues/{queueId}/assignments") => {
            Some(json!({ "userId": "01890000-0000-7000-8000-000000000000" }))
        }
        ("POST", "/api/public/media") => Some(File::new("image/png", "own").announcement("own")),
        ("PATCH", "/api/public/media/{mediaId}") => {
            Some(json!({ "uploadedAt": "2026-11-03T10:00:00Z", "uploadHttpStatus": 403 }))
        }
        _ => None,
    }
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
    let trace = json!({"id": MARK, "name": MARK, "sessionId": MARK, "userId": MARK, "input": MARK});
    let span = json!({"id": MARK, "traceId": MARK, "name": MARK, "output": MARK});
    let events = [
        event(1, 1, "trace-create", &trace),
        event(2, 2, "span-create", &span),
    ];
    ingest(&victim, &events).await;
    let own = json!({ "id": "own", "name": "own" });
    ingest(&stranger, &[event(1, 1, "trace-create", &own)]).await;
    let own_config = json!({ "name": "own", "dataType": "TEXT" });
    let own_config = Scores(&stranger).config(&own_config).await;
    let queue = annotation::queue(&victim, MARK).await;
    let item = annotation::item(&victim, &queue, MARK).await;
    let comment = comments::written(&victim, "TRACE", MARK, MARK).await;
    let file = File::new("text/plain", MARK);
    media::sent(&victim, &file, MARK).await;
    let judged = [
        format!("/annotation-queues/{queue}/items/{item}"),
        format!("/annotation-queues/{queue}"),
        format!("/comments/{comment}"),
    ];
    let mut judged_before = Vec::new();
    for path in &judged {
        judged_before.push(found(&victim, path).await);
    }
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
        let path = operation
            .path
            .replace("{promptName}", MARK)
            .replace("{traceId}", MARK)
            .replace("{observationId}", MARK)
            .replace("{sessionId}", MARK)
            .replace("{name}", MARK)
            .replace("{scoreId}", MARK)
            .replace("{configId}", &config)
            .replace("{queueId}", &queue)
            .replace("{itemId}", &item)
            .replace("{commentId}", &comment)
            .replace("{mediaId}", &file.id())
            .replace("{version}", "1");
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
    assert!(served >= 33, "only {served} operations are served");
    for (path, before) in judged.iter().zip(judged_before) {
        assert_eq!(found(&victim, path).await, before);
    }
    let there = reqwest::get(media::address(&victim, &file).await).await;
    assert_eq!(there.unwrap().bytes().await.unwrap(), file.bytes);
    assert_eq!(prompts.found(&format!("/{MARK}")).await, before);
    assert_eq!(found(&victim, &trace_path).await, trace_before);
    let after = [
        scores.stored(MARK).await,
        scores.found(&format!("/score-configs/{config}")).await,
    ];
    assert_eq!(after, kept);
}
