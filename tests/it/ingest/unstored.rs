//! Logs and metrics: read, counted, and refused in words.

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tests::shared;

use super::field;

#[tokio::test(flavor = "multi_thread")]
async fn logs_and_metrics_are_counted_and_said_not_to_be_stored() {
    let client = shared().await.new_project();
    let logs = field(1, &field(2, &[field(2, b""), field(2, b"")].concat()));
    let points = field(7, &[field(1, b""), field(1, b""), field(1, b"")].concat());
    let metrics = field(1, &field(2, &field(2, &points)));
    for (path, body) in [("/v1/logs", &logs), ("/v1/metrics", &metrics)] {
        for prefix in ["", "/api/public/otel"] {
            let request = client.request(Method::POST, &format!("{prefix}{path}"));
            let request = request.header("content-type", "application/x-protobuf");
            let answer = request.body(body.clone()).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::OK, "{prefix}{path}");
            let text = answer.bytes().await.unwrap();
            assert!(
                String::from_utf8_lossy(&text).contains("stores traces only"),
                "{path}"
            );
        }
        let request = client.request(Method::POST, path);
        let request = request.header("content-type", "application/x-protobuf");
        let answer = request
            .body(body[..body.len() - 1].to_vec())
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{path} truncated");
    }
    let json = r#"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},{}]}]}]}"#;
    let request = client
        .request(Method::POST, "/v1/logs")
        .header("content-type", "application/json");
    let answer: Value = request
        .body(json)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(
        answer["partialSuccess"]["rejectedLogRecords"], "2",
        "{answer}"
    );
}
