//! What cannot be asked for.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::{ProjectClient, shared};

use super::super::read;
use super::{escaped, question};

/// Where a question is wrong.
async fn place(client: &ProjectClient, path: &str, question: &Value) -> Value {
    let answer = read(client, &format!("{path}?query={}", escaped(question))).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{question}");
    assert_eq!(answer.body["message"], "Invalid request data");
    answer.body["error"][0]["path"].clone()
}

#[tokio::test]
async fn what_there_is_not_is_named() {
    let client = shared().await.new_project();
    for query in ["", "?query=", "?query=%7B", "?query=%5B%5D"] {
        for path in ["/metrics", "/v2/metrics"] {
            let answer = read(&client, &format!("{path}{query}")).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}{query}");
        }
    }
    let traces = question("traces", &[], &[("count", "count")]);
    assert_eq!(
        place(&client, "/v2/metrics", &traces).await,
        json!(["query", "view"])
    );
    let many = question("observations", &["userId"], &[("count", "count")]);
    assert_eq!(
        place(&client, "/v2/metrics", &many).await,
        json!(["query", "dimensions", 0, "field"])
    );
    let not_yet = question("scores-numeric", &["evaluatorId"], &[("count", "count")]);
    assert_eq!(
        place(&client, "/metrics", &not_yet).await,
        json!(["query", "dimensions", 0, "field"])
    );
    let ids = question("traces", &[], &[("sum", "uniqueUserIds")]);
    assert_eq!(place(&client, "/metrics", &ids).await, json!(["query"]));
    let mut fine = question("traces", &[], &[("count", "count")]);
    fine["timeDimension"] = json!({"granularity": "minute"});
    fine["fromTimestamp"] = json!("2025-01-01T00:00:00Z");
    assert_eq!(place(&client, "/metrics", &fine).await, json!(["query"]));
    let mut hostile = question(
        "traces",
        &["name`; DROP TABLE spans"],
        &[("count", "count")],
    );
    assert_eq!(
        place(&client, "/metrics", &hostile).await,
        json!(["query", "dimensions", 0, "field"])
    );
    hostile["dimensions"] = json!([]);
    hostile["orderBy"] = json!([{"field": "count_count; --", "direction": "desc"}]);
    assert_eq!(
        place(&client, "/metrics", &hostile).await,
        json!(["query", "orderBy", 0, "field"])
    );
}
