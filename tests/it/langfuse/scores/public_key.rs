//! The public part of a key alone: it sends scores, and nothing else.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::{INGESTION, Scores, event};

#[tokio::test]
async fn a_public_key_sends_scores_and_opens_nothing_else() {
    let server = shared().await;
    let project = server.new_project();
    let scores = Scores(&project);
    let ask = async |method: Method, path: &str, body: &Value| {
        let url = format!("{}{path}", server.http_url());
        let request = reqwest::Client::new().request(method, url);
        let answer = request
            .bearer_auth(&project.public_key)
            .json(body)
            .send()
            .await;
        let answer = answer.unwrap();
        let status = answer.status();
        (status, answer.json::<Value>().await.unwrap_or_default())
    };
    let score = |id: &str| json!({ "id": id, "traceId": "t", "name": "n", "value": 1 });
    let (status, body) = ask(Method::POST, "/api/public/scores", &score("alone")).await;
    assert_eq!((status, &body["id"]), (StatusCode::OK, &json!("alone")));
    let at = "2026-11-03T10:00:00.000Z";
    let log = json!({ "id": "log", "timestamp": at, "type": "sdk-log", "body": { "log": 1 } });
    let trace =
        json!({ "id": "trace", "timestamp": at, "type": "trace-create", "body": { "id": "t" } });
    let batch = json!({ "batch": [event("score", at, &score("event")), log, trace] });
    let (status, body) = ask(Method::POST, INGESTION, &batch).await;
    assert_eq!(status, StatusCode::MULTI_STATUS);
    assert_eq!(body["successes"], json!([{ "id": "score", "status": 201 }]));
    assert_eq!(body["errors"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&body["errors"][0]["id"], &body["errors"][0]["status"]),
        (&json!("trace"), &json!(401))
    );
    scores.stored("alone").await;
    scores.stored("event").await;
    let url = format!("{}/api/public/scores", server.http_url());
    let nobody = reqwest::Client::new().post(url).bearer_auth("pk-tx-nobody");
    let refused = nobody.json(&score("x")).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let refused: Value = refused.json().await.unwrap();
    assert!(refused["message"].is_string() && refused["error"].is_null());
    let span = export([&SpanBuilder::root("turn")]);
    for (method, path, body) in [
        (Method::GET, "/api/public/projects", json!({})),
        (Method::GET, "/api/public/v2/scores", json!({})),
        (Method::GET, "/api/public/v3/scores", json!({})),
        (Method::GET, "/api/public/scores/alone", json!({})),
        (Method::DELETE, "/api/public/scores/alone", json!({})),
        (Method::GET, "/api/public/v2/prompts", json!({})),
        (
            Method::POST,
            "/api/public/score-configs",
            json!({ "name": "n", "dataType": "TEXT" }),
        ),
        (Method::GET, "/api/v1/traces", json!({})),
        (Method::GET, "/api/v1/live", json!({})),
        (Method::POST, "/v1/traces", span.clone()),
        (Method::POST, "/api/public/otel/v1/traces", span),
    ] {
        let (status, body) = ask(method.clone(), path, &body).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{method} {path}: {body}");
    }
    assert_eq!(scores.ids("/v2/scores").await.len(), 2);
}

#[tokio::test]
async fn browsers_of_other_origins_may_send_scores() {
    let server = shared().await;
    let project = server.new_project();
    for path in ["/api/public/scores", INGESTION] {
        let url = format!("{}{path}", server.http_url());
        let client = reqwest::Client::new();
        let before = client
            .request(Method::OPTIONS, &url)
            .header("origin", "https://app.example")
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "authorization,content-type",
            )
            .send()
            .await
            .unwrap();
        assert_eq!(before.status(), StatusCode::NO_CONTENT, "{path}");
        let allowed = &before.headers()["access-control-allow-headers"];
        assert_eq!(allowed, "authorization,content-type");
        let body = json!({ "batch": [], "traceId": "t", "name": "n", "value": 1 });
        let request = client.post(&url).header("origin", "https://app.example");
        let answer = request
            .bearer_auth(&project.public_key)
            .json(&body)
            .send()
            .await;
        let answer = answer.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        let all: Vec<_> = answer
            .headers()
            .get_all("access-control-allow-origin")
            .iter()
            .collect();
        assert_eq!(all, ["https://app.example"], "{path}");
    }
}
