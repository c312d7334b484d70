//! What somebody has: one thing of every kind, all of them marked.

use reqwest::Method;
use serde_json::{Value, json};
use tests::ProjectClient;

use crate::langfuse::datasets::Datasets;
use crate::langfuse::media::File;
use crate::langfuse::scores::Scores;
use crate::langfuse::{Prompts, annotation, becomes, comments, event, found, ingest, media};

pub(super) const MARK: &str = "a-secret-of-the-other-project";

/// What stands in paths for a thing whose id is the mark itself.
const MARKED: [&str; 9] = [
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

/// Where each thing is shown.
const SHOWN: [&str; 11] = [
    "/v2/prompts/{promptName}",
    "/traces/{traceId}",
    "/scores/{scoreId}",
    "/score-configs/{configId}",
    "/models/{id}",
    "/llm-connections",
    "/datasets/{datasetName}",
    "/datasets/{datasetName}/runs/{runName}",
    "/annotation-queues/{queueId}",
    "/annotation-queues/{queueId}/items/{itemId}",
    "/comments/{commentId}",
];

/// The things.
pub(super) struct Things<'c> {
    owner: &'c ProjectClient,
    /// What stands in paths for the others, and what is to stand there.
    places: Vec<(&'static str, String)>,
    pub(super) dataset: String,
    file: File,
    before: Vec<Value>,
}

impl<'c> Things<'c> {
    pub(super) async fn of(owner: &'c ProjectClient) -> Self {
        Prompts(owner).text(MARK, MARK, &["production"]).await;
        let scores = Scores(owner);
        let config = json!({ "name": MARK, "dataType": "TEXT" });
        let config = scores.config(&config).await;
        scores.posted(&score(MARK)).await;
        scores.stored(MARK).await;
        ingest(owner, &telemetry()).await;
        becomes(owner, &format!("/traces/{MARK}"), |trace| {
            trace["observations"].as_array().unwrap().len() == 1 && trace["output"] == MARK
        })
        .await;
        let datasets = Datasets(owner);
        let dataset = datasets.named(MARK).await;
        let item = json!({ "datasetName": MARK, "id": MARK, "input": MARK });
        datasets.item(&item).await;
        datasets.link(&linked()).await;
        let model = made(owner, Method::POST, "/models", &model(MARK)).await;
        let connection = made(owner, Method::PUT, "/llm-connections", &connection(MARK)).await;
        let queue = annotation::queue(owner, MARK).await;
        let file = File::new("text/plain", MARK);
        media::sent(owner, &file, MARK).await;
        let places = vec![
            ("/models/{id}", format!("/models/{model}")),
            (
                "/llm-connections/{id}",
                format!("/llm-connections/{connection}"),
            ),
            ("{configId}", config),
            ("{itemId}", annotation::item(owner, &queue, MARK).await),
            ("{queueId}", queue),
            (
                "{commentId}",
                comments::written(owner, "TRACE", MARK, MARK).await,
            ),
            ("{mediaId}", file.id()),
            ("{version}", "1".to_owned()),
        ];
        let mut things = Things {
            owner,
            places,
            dataset,
            file,
            before: Vec::new(),
        };
        things.before = things.state().await;
        things
    }

    /// A path with the things in the place of its parameters.
    pub(super) fn path(&self, path: &str) -> String {
        let placed = |path: String, (name, id): &(&str, String)| path.replace(name, id);
        let path = self.places.iter().fold(path.to_owned(), placed);
        let marked = |path: String, name: &&str| path.replace(name, MARK);
        MARKED.iter().fold(path, marked)
    }

    pub(super) async fn are_as_before(&self) {
        assert_eq!(self.state().await, self.before);
        let there = reqwest::get(media::address(self.owner, &self.file).await).await;
        assert_eq!(there.unwrap().bytes().await.unwrap(), self.file.bytes);
    }

    async fn state(&self) -> Vec<Value> {
        let mut state = Vec::new();
        for path in SHOWN {
            state.push(found(self.owner, &self.path(path)).await);
        }
        state
    }
}

/// Makes a thing; its id.
async fn made(owner: &ProjectClient, method: Method, path: &str, body: &Value) -> String {
    let path = format!("/api/public{path}");
    let made = owner.langfuse(method, &path, Some(body)).await;
    made.body["id"].as_str().unwrap().to_owned()
}

pub(super) fn score(id: &str) -> Value {
    json!({ "id": id, "traceId": id, "name": "n", "value": 1 })
}

pub(super) fn model(name: &str) -> Value {
    json!({ "modelName": name, "matchPattern": format!("^{name}$"), "inputPrice": 1 })
}

pub(super) fn connection(provider: &str) -> Value {
    json!({ "provider": provider, "adapter": "openai", "secretKey": MARK })
}

pub(super) fn linked() -> Value {
    json!({ "runName": MARK, "datasetItemId": MARK, "traceId": MARK, "metadata": { "m": MARK } })
}

fn telemetry() -> [Value; 2] {
    let trace = json!({"id": MARK, "name": MARK, "sessionId": MARK, "userId": MARK, "input": MARK});
    let span = json!({"id": MARK, "traceId": MARK, "name": MARK, "output": MARK});
    [
        event(1, 1, "trace-create", &trace),
        event(2, 2, "span-create", &span),
    ]
}
