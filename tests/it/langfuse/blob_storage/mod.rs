//! Exports to object stores: set, shown, run, broken off.

mod exported;
mod kills;
mod parquet;
mod refusals;
mod rows;
mod set;
mod signature;
mod store;

use std::io::Read;
use std::time::Duration;

use flate2::read::GzDecoder;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::Answer;
use tests::{Organisation, ProjectClient, Server, Settings, eventually_within};

use super::{becomes, event, ingest};
use store::Store;

const EXPORTS: &str = "/api/public/integrations/blob-storage";
const SECRET: &str = "a-secret-of-the-object-store-9c1e";

/// A server that may reach stores of this machine.
async fn server() -> Server {
    let settings = Settings::default();
    Server::start_with(settings.with("TRIAXIS_ALLOW_PRIVATE_ADDRESSES", "127.0.0.0/8, ::1")).await
}

/// What describes an export of a project to an address, of all of its history, by the hour.
pub(super) fn described(project: &ProjectClient, endpoint: &str) -> Value {
    json!({
        "projectId": project.project_id.clone().unwrap(), "type": "S3_COMPATIBLE",
        "bucketName": "lake", "endpoint": endpoint, "region": "eu-west-1",
        "accessKeyId": "AKIAEXPORTS", "secretAccessKey": SECRET, "prefix": "llm/",
        "exportFrequency": "hourly", "enabled": true, "forcePathStyle": true,
        "fileType": "JSONL", "exportMode": "FULL_HISTORY",
    })
}

async fn put(client: &ProjectClient, body: &Value) -> Answer {
    client.langfuse(Method::PUT, EXPORTS, Some(body)).await
}

/// An export that must be accepted.
async fn set(organisation: &Organisation, body: &Value) -> Value {
    let answer = put(&organisation.client, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body
}

/// How the export of an organisation's project stands.
async fn status(organisation: &Organisation) -> Answer {
    let id = organisation.project.project_id.clone().unwrap();
    let path = format!("{EXPORTS}/{id}");
    organisation.client.langfuse(Method::GET, &path, None).await
}

/// Waits until it stands like that.
async fn becomes_status(organisation: &Organisation, expected: &str) -> Value {
    let what = format!("the export is {expected}");
    eventually_within(Duration::from_secs(60), &what, async || {
        let answer = status(organisation).await;
        if answer.body["syncStatus"] == expected {
            Ok(answer.body)
        } else {
            Err(answer.body)
        }
    })
    .await
}

/// An event at an instant, whatever else it says.
fn at(time: &str, number: u32, kind: &str, mut body: Value) -> Value {
    let key = if kind == "span-create" || kind == "generation-create" {
        "startTime"
    } else {
        "timestamp"
    };
    body[key] = json!(time);
    let mut event = event(number, 1, kind, &body);
    event["timestamp"] = json!(time);
    event
}

/// A trace with a generation and a score, all at one instant, once they can be read.
async fn judged_trace(project: &ProjectClient, id: &str, time: &str) {
    let span = format!("{id}-span");
    let trace =
        json!({ "id": id, "name": "answer", "userId": "ada", "tags": ["t"], "input": "hi" });
    let generation = json!({
        "id": span, "traceId": id, "name": "call", "model": "gpt-4o", "input": { "q": "a,\"b\"\nc" },
        "output": "yes", "usage": { "input": 3, "output": 4 }, "metadata": { "long": "x".repeat(300) },
    });
    let score = json!({ "id": format!("{id}-score"), "traceId": id, "name": "good", "value": 0.5 });
    let events = [
        at(time, 1, "trace-create", trace),
        at(time, 2, "generation-create", generation),
        at(time, 3, "score-create", score),
    ];
    ingest(project, &events).await;
    becomes(project, &format!("/traces/{id}"), |trace| {
        trace["observations"].as_array().unwrap().len() == 1
            && trace["scores"].as_array().unwrap().len() == 1
            && trace["name"] == "answer"
    })
    .await;
}

/// The rows of a file of lines that is compressed.
fn lines(bytes: &[u8]) -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    let rows = text.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().unwrap()
}
