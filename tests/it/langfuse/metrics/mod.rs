//! Numbers over many traces, observations and scores.

mod daily;
mod numbers;
mod refused;

use serde_json::{Value, json};
use tests::{ProjectClient, shared};

use super::{becomes, escaped, event, found, ingest};

/// Two traces on two days, three observations, three scores.
async fn measured() -> ProjectClient {
    let client = shared().await.new_project();
    ingest(&client, &telemetry()).await;
    ingest(&client, &scores()).await;
    becomes(&client, "/observations", |list| {
        list["meta"]["totalItems"] == 3
    })
    .await;
    becomes(&client, "/v2/scores", |list| {
        list["meta"]["totalItems"] == 3
    })
    .await;
    client
}

fn telemetry() -> [Value; 5] {
    [
        event(
            1,
            1,
            "trace-create",
            &json!({
                "id": "a", "name": "chat", "userId": "u1", "sessionId": "s1", "tags": ["x", "y"],
                "release": "r1", "timestamp": "2026-11-03T10:00:00Z",
            }),
        ),
        event(
            2,
            2,
            "generation-create",
            &json!({
                "id": "g1", "traceId": "a", "name": "answer", "model": "m-one",
                "startTime": "2026-11-03T10:00:02Z", "completionStartTime": "2026-11-03T10:00:02.5Z",
                "endTime": "2026-11-03T10:00:04Z", "usageDetails": {"input": 10, "output": 20},
                "costDetails": {"input": 0.1, "output": 0.2}, "metadata": {"team": "blue"},
            }),
        ),
        event(
            3,
            3,
            "generation-create",
            &json!({
                "id": "g2", "traceId": "a", "parentObservationId": "g0", "name": "answer",
                "model": "m-two", "startTime": "2026-11-03T10:30:00Z",
                "endTime": "2026-11-03T10:30:01Z", "usageDetails": {"input": 5, "output": 5},
                "costDetails": {"input": 0.1, "output": 0.3},
            }),
        ),
        event(
            4,
            4,
            "trace-create",
            &json!({
                "id": "b", "name": "batch", "userId": "u2", "timestamp": "2026-11-05T09:00:00Z",
            }),
        ),
        event(
            5,
            5,
            "span-create",
            &json!({
                "id": "s1", "traceId": "b", "name": "step", "level": "ERROR",
                "startTime": "2026-11-05T09:00:00Z", "endTime": "2026-11-05T09:00:10Z",
            }),
        ),
    ]
}

fn scores() -> [Value; 3] {
    [
        event(
            6,
            6,
            "score-create",
            &json!({
                "id": "q1", "traceId": "a", "observationId": "g1", "name": "quality", "value": 0.5,
            }),
        ),
        event(
            7,
            7,
            "score-create",
            &json!({
                "id": "q2", "traceId": "a", "name": "quality", "value": 1.0,
            }),
        ),
        event(
            8,
            8,
            "score-create",
            &json!({
                "id": "c1", "traceId": "a", "name": "tone", "value": "kind", "dataType": "CATEGORICAL",
            }),
        ),
    ]
}

/// A question about the days of [`measured`].
pub(super) fn question(view: &str, dimensions: &[&str], metrics: &[(&str, &str)]) -> Value {
    let dimensions = dimensions.iter().map(|field| json!({ "field": field }));
    let metric = |(aggregation, measure): &(&str, &str)| json!({ "measure": measure, "aggregation": aggregation });
    json!({
        "view": view,
        "dimensions": dimensions.collect::<Vec<_>>(),
        "metrics": metrics.iter().map(metric).collect::<Vec<_>>(),
        "fromTimestamp": "2026-11-03T00:00:00Z",
        "toTimestamp": "2026-11-06T00:00:00Z",
    })
}

/// What a question comes to.
pub(super) async fn ask(client: &ProjectClient, path: &str, question: &Value) -> Value {
    let answer = found(client, &format!("{path}?query={}", escaped(question))).await;
    answer["data"].clone()
}
