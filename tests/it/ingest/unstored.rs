//! Metrics: read, counted, and refused in words.

use reqwest::StatusCode;
use serde_json::Value;
use tests::shared;

use super::field;

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_counted_and_said_not_to_be_stored() {
    let client = shared().await.new_project();
    let points = field(7, &[field(1, b""), field(1, b""), field(1, b"")].concat());
    let body = field(1, &field(2, &field(2, &points)));
    let protobuf = "application/x-protobuf";
    for path in ["/v1/metrics", "/api/public/otel/v1/metrics"] {
        let answer = client.send_body(path, body.clone(), protobuf).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let text = answer.bytes().await.unwrap();
        let words = "stores traces and logs only";
        assert!(String::from_utf8_lossy(&text).contains(words), "{path}");
    }
    let cut = body[..body.len() - 1].to_vec();
    let answer = client.send_body("/v1/metrics", cut, protobuf).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let json =
        r#"{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"sum":{"dataPoints":[{},{}]}}]}]}]}"#;
    let answer = client
        .send_body("/v1/metrics", json.into(), "application/json")
        .await;
    let answer: Value = answer.json().await.unwrap();
    let rejected = &answer["partialSuccess"]["rejectedDataPoints"];
    assert_eq!(rejected, "2", "{answer}");
}
