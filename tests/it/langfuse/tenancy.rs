//! Another project's key finds nothing and changes nothing. The operations come from the document, so
//! that a new route cannot be forgotten.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::operations;
use tests::{ProjectClient, shared};

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

/// What people have to do with a trace: a queue with an item, a comment, an attachment.
struct Judged {
    queue: String,
    item: String,
    comment: String,
    file: File,
    before: Vec<Value>,
}

impl Judged {
    async fn of(victim: &ProjectClient) -> Self {
        let queue = annotation::queue(victim, MARK).await;
        let file = File::new("text/plain", MARK);
        media::sent(victim, &file, MARK).await;
        let mut judged = Judged {
            item: annotation::item(victim, &queue, MARK).await,
            comment: comments::written(victim, "TRACE", MARK, MARK).await,
            queue,
            file,
            before: Vec::new(),
        };
        judged.before = judged.state(victim).await;
        judged
    }

    /// With the ids of these things in the place of parameters.
    fn path(&self, path: &str) -> String {
        path.replace("{queueId}", &self.queue)
            .replace("{itemId}", &self.item)
            .replace("{commentId}", &self.comment)
            .replace("{mediaId}", &self.file.id())
    }

    async fn state(&self, victim: &ProjectClient) -> Vec<Value> {
        let mut state = Vec::new();
        for path in [
            "/annotation-queues/{queueId}/items/{itemId}",
            "/annotation-queues/{queueId}",
            "/comments/{commentId}",
        ] {
            state.push(found(victim, &self.path(path)).await);
        }
        state
    }

    async fn is_as_before(&self, victim: &ProjectClient) {
        assert_eq!(self.state(victim).await, self.before);
        let there = reqwest::get(media::address(victim, &self.file).await).await;
        assert_eq!(there.unwrap().bytes().await.unwrap(), self.file.bytes);
    }
}

/// A trace and a configuration that whoever asks needs for things of its own; the configuration's id.
async fn own_things(stranger: &ProjectClient) -> String {
    let own = json!({ "id": "own", "name": "own" });
    ingest(stranger, &[event(1, 1, "trace-create", &own)]).await;
    let config = json!({ "name": "own", "dataType": "TEXT" });
    Scores(stranger).config(&config).await
}

fn telemetry() -> [Value; 2] {
    let trace = json!({"id": MARK, "name": MARK, "sessionId": MARK, "userId": MARK, "input": MARK});
    let span = json!({"id": MARK, "traceId": MARK, "name": MARK, "output": MARK});
    [
        event(1, 1, "trace-create", &trace),
        event(2, 2, "span-create", &span),
    ]
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
    ingest(&victim, &telemetry()).await;
    let own_config = own_things(&stranger).await;
    let judged = Judged::of(&victim).await;
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
            .replace("{configId}", &config);
        let path = judged.path(&path).replace("{version}", "1");
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
    judged.is_as_before(&victim).await;
    assert_eq!(prompts.found(&format!("/{MARK}")).await, before);
    assert_eq!(found(&victim, &trace_path).await, trace_before);
    let after = [
        scores.stored(MARK).await,
        scores.found(&format!("/score-configs/{config}")).await,
    ];
    assert_eq!(after, kept);
}
