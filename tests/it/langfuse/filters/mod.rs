//! What lists are narrowed to by the parameter `filter`: numbers, scores, contents and places.

mod observations;
mod traces;

use serde_json::{Value, json};
use tests::{ProjectClient, shared};

use super::{all, becomes, escaped, event, found, ingest};

/// A trace with a call, its step and a point in time; another with a failed step. Scores on both.
async fn judged() -> ProjectClient {
    let client = shared().await.new_project();
    ingest(&client, &telemetry()).await;
    ingest(&client, &scores()).await;
    becomes(&client, "/observations", |list| {
        list["meta"]["totalItems"] == 4
    })
    .await;
    becomes(&client, "/v2/scores", |list| {
        list["meta"]["totalItems"] == 4
    })
    .await;
    client
}

fn telemetry() -> [Value; 6] {
    [
        event(
            1,
            1,
            "trace-create",
            &json!({
                "id": "a", "name": "chat", "timestamp": "2026-11-03T10:00:00Z",
            }),
        ),
        event(
            2,
            2,
            "span-create",
            &json!({
                "id": "step", "traceId": "a", "name": "step", "startTime": "2026-11-03T10:00:01Z",
                "endTime": "2026-11-03T10:00:09Z", "level": "WARNING", "statusMessage": "slow step",
            }),
        ),
        event(
            3,
            3,
            "generation-create",
            &json!({
                "id": "call", "traceId": "a", "parentObservationId": "step", "name": "answer",
                "model": "none-such", "startTime": "2026-11-03T10:00:02Z",
                "completionStartTime": "2026-11-03T10:00:02.5Z", "endTime": "2026-11-03T10:00:04Z",
                "usageDetails": {"input": 10, "output": 20}, "costDetails": {"input": 0.1, "output": 0.2},
                "input": "Where is my luggage?", "output": "In Größenbrode.",
            }),
        ),
        event(
            4,
            4,
            "event-create",
            &json!({
                "id": "point", "traceId": "a", "name": "point", "startTime": "2026-11-03T10:00:05Z",
                "level": "DEBUG",
            }),
        ),
        event(
            5,
            5,
            "trace-create",
            &json!({
                "id": "b", "name": "batch", "timestamp": "2026-11-03T11:00:00Z",
            }),
        ),
        event(
            6,
            6,
            "span-create",
            &json!({
                "id": "failed", "traceId": "b", "name": "failed", "level": "ERROR",
                "startTime": "2026-11-03T11:00:00Z", "endTime": "2026-11-03T11:00:01Z",
            }),
        ),
    ]
}

fn scores() -> [Value; 4] {
    [
        event(
            7,
            7,
            "score-create",
            &json!({
                "id": "q1", "traceId": "a", "observationId": "call", "name": "quality", "value": 0.4,
            }),
        ),
        event(
            8,
            8,
            "score-create",
            &json!({
                "id": "q2", "traceId": "a", "name": "quality", "value": 0.8,
            }),
        ),
        event(
            9,
            9,
            "score-create",
            &json!({
                "id": "c1", "traceId": "b", "observationId": "failed", "name": "tone", "value": "rude",
                "dataType": "CATEGORICAL",
            }),
        ),
        event(
            10,
            10,
            "score-create",
            &json!({
                "id": "b1", "traceId": "a", "observationId": "call", "name": "true", "value": 1,
                "dataType": "BOOLEAN",
            }),
        ),
    ]
}

fn condition(kind: &str, column: &str, operator: &str, value: &Value) -> Value {
    json!({ "type": kind, "column": column, "operator": operator, "value": value })
}

fn keyed(kind: &str, column: &str, key: &str, (operator, value): (&str, &Value)) -> Value {
    json!({ "type": kind, "column": column, "key": key, "operator": operator, "value": value })
}
