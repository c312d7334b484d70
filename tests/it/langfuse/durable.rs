//! What was answered with a success is there, whatever becomes of the server a moment later.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::{Server, eventually_within};

use super::{event, found, ingest, read};

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_is_there_after_a_kill() {
    let server = Server::start().await;
    let client = server.client();
    let mut paths = Vec::new();
    for round in 0..3 {
        let (trace, score) = (format!("trace-{round}"), format!("score-{round}"));
        let span = SpanBuilder::root("spans");
        let call = json!({"id": format!("call-{round}"), "traceId": trace, "name": "call"});
        let events = [
            event(1, 1, "trace-create", &json!({"id": trace, "name": "kept"})),
            event(2, 2, "generation-create", &call),
        ];
        ingest(&client, &events).await;
        let spans = client.request(Method::POST, "/api/public/otel/v1/traces");
        let answer = spans.json(&export([&span])).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        let body = json!({"id": score, "traceId": trace, "name": "good", "value": 1});
        let scores = "/api/public/scores";
        let answer = client.langfuse(Method::POST, scores, Some(&body)).await;
        assert_eq!(answer.status, StatusCode::OK);
        server.kill();
        server.start_again().await;
        paths.extend([
            format!("/traces/{trace}"),
            format!("/observations/call-{round}"),
            format!("/observations/{}", span.span_id()),
            format!("/v2/scores/{score}"),
        ]);
    }
    for path in paths {
        eventually_within(Duration::from_secs(60), &path, async || {
            match read(&client, &path).await.status {
                StatusCode::OK => Ok(()),
                status => Err(status),
            }
        })
        .await;
    }
    let list = found(&client, "/observations").await;
    assert_eq!(list["meta"]["totalItems"], 6, "each once: {list}");
}
