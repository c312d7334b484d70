//! Routes that are older than batches: one thing in each request.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::Answer;
use tests::{ProjectClient, shared};

use super::{becomes, found};

async fn send(client: &ProjectClient, method: Method, path: &str, body: &Value) -> Answer {
    let path = format!("/api/public{path}");
    client.langfuse(method, &path, Some(body)).await
}

#[tokio::test]
async fn what_is_sent_one_by_one_is_what_a_batch_would_be() {
    let client = shared().await.new_project();
    let requests = [
        (
            Method::POST,
            "/traces",
            json!({"id": "t", "name": "chat", "userId": "u", "tags": ["a"]}),
        ),
        (
            Method::POST,
            "/spans",
            json!({"id": "s", "traceId": "t", "name": "step", "startTime": "2026-11-03T10:00:01Z"}),
        ),
        (
            Method::PATCH,
            "/spans",
            json!({"spanId": "s", "endTime": "2026-11-03T10:00:05Z"}),
        ),
        (
            Method::POST,
            "/generations",
            json!({
                "id": "g", "traceId": "t", "parentObservationId": "s", "model": "none-such", "prompt": "Hello?",
                "startTime": "2026-11-03T10:00:02Z",
            }),
        ),
        (
            Method::PATCH,
            "/generations",
            json!({
                "generationId": "g", "completion": "Hi.", "usage": {"promptTokens": 3, "completionTokens": 2, "totalTokens": 5},
            }),
        ),
        (
            Method::POST,
            "/events",
            json!({"id": "e", "traceId": "t", "name": "point"}),
        ),
    ];
    for (method, path, body) in requests {
        let answer = send(&client, method, path, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
        let id = ["id", "spanId", "generationId"]
            .iter()
            .find_map(|name| body.get(*name));
        assert_eq!(answer.body, json!({"id": id}));
    }
    let whole = becomes(&client, "/traces/t", |trace| {
        let observations = trace["observations"].as_array().unwrap();
        let are_whole = observations
            .iter()
            .any(|it| it["id"] == "g" && !it["output"].is_null())
            && observations
                .iter()
                .any(|it| it["id"] == "s" && !it["endTime"].is_null());
        observations.len() == 3 && are_whole && trace["name"] == "chat"
    })
    .await;
    assert_eq!(
        (&whole["userId"], &whole["tags"]),
        (&json!("u"), &json!(["a"]))
    );
    let call = found(&client, "/observations/g").await;
    assert_eq!(
        (&call["input"], &call["output"]),
        (&json!("Hello?"), &json!("Hi."))
    );
    assert_eq!(call["usage"]["total"], 5);
    assert_eq!(found(&client, "/observations/s").await["latency"], 4.0);
    assert_eq!(found(&client, "/observations/e").await["type"], "EVENT");
}

#[tokio::test]
async fn what_has_no_id_gets_one_and_what_is_wrong_is_said() {
    let client = shared().await.new_project();
    let answer = send(&client, Method::POST, "/spans", &json!({"name": "alone"})).await;
    let id = answer.body["id"].as_str().unwrap();
    let path = format!("/observations/{id}");
    assert_eq!(becomes(&client, &path, |_| true).await["name"], "alone");
    for (method, path, body) in [
        (Method::POST, "/traces", json!([])),
        (Method::POST, "/spans", json!({"level": "LOUD"})),
        (Method::PATCH, "/spans", json!({"id": null})),
        (Method::PATCH, "/generations", json!({})),
        (
            Method::POST,
            "/events",
            json!({"startTime": "2026-11-03T10:00:01"}),
        ),
    ] {
        let answer = send(&client, method, path, &body).await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{path}: {}",
            answer.body
        );
        assert!(answer.body["message"].is_string());
    }
    let nobody = ProjectClient::new(shared().await.http_url(), "pk-nobody", "sk-nobody");
    let refused = send(&nobody, Method::POST, "/spans", &json!({})).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    let large = json!({"input": "x".repeat(1_100_000)});
    let refused = send(&client, Method::POST, "/events", &large).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
}
