//! Failures in the words of each family, methods, other origins, limits.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{Server, shared};

use super::{PROMPTS, Prompts};

async fn plain(server: &Server, method: Method, path: &str) -> (StatusCode, Value) {
    let url = format!("{}{path}", server.http_url());
    let answer = reqwest::Client::new().request(method, url).send().await;
    let answer = answer.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

#[tokio::test]
async fn without_a_key_each_family_says_so_in_its_words() {
    let server = shared().await;
    let (status, body) = plain(server, Method::GET, "/api/public/projects").await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(
        body["message"].is_string() && body["error"].is_null(),
        "{body}"
    );
    let (status, body) = plain(server, Method::GET, PROMPTS).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert_eq!(body["error"], "UnauthorizedError");
}

#[tokio::test]
async fn a_right_secret_does_not_make_up_for_a_wrong_public_key() {
    let server = shared().await;
    let project = server.new_project();
    let url = format!("{}/api/public/projects", server.http_url());
    for (public, secret) in [
        ("pk-tx-wrong", project.secret_key.as_str()),
        (project.public_key.as_str(), "sk-tx-wrong"),
    ] {
        let request = reqwest::Client::new().get(&url);
        let answer = request.basic_auth(public, Some(secret)).send().await;
        let answer = answer.unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
        let told: Value = answer.json().await.unwrap();
        assert!(told["message"].is_string(), "{told}");
    }
}

#[tokio::test]
async fn a_key_opens_exactly_one_project() {
    let server = shared().await;
    let project = server.new_project();
    let answer = project
        .langfuse(Method::GET, "/api/public/projects", None)
        .await;
    let data = answer.body["data"].as_array().unwrap();
    assert_eq!(data.len(), 1);
    assert_eq!(data[0]["id"].as_str(), project.project_id.as_deref());
    assert_eq!(data[0]["metadata"], json!({}));
}

#[tokio::test]
async fn a_method_that_a_route_does_not_have_is_405() {
    let server = shared().await;
    let (status, body) = plain(server, Method::PUT, PROMPTS).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(body["error"], "MethodNotAllowedError");
    let (status, body) = plain(server, Method::PUT, "/api/public/projects").await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(body["error"].is_null(), "{body}");
    let project = server.new_project();
    let path = format!("{PROMPTS}/a");
    let answer = project
        .langfuse(Method::PATCH, &path, Some(&json!({})))
        .await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_route_that_is_not_there_is_404_and_not_named_as_something_to_wait_for() {
    let (status, body) = plain(shared().await, Method::GET, "/api/public/nothing").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(body["error"].is_null(), "{body}");
}

#[tokio::test]
async fn pages_outside_their_range_are_refused_and_empty_ones_are_as_usual() {
    let project = shared().await.new_project();
    let prompts = Prompts(&project);
    for query in [
        "?limit=101",
        "?page=0",
        "?limit=x",
        "?fromUpdatedAt=yesterday",
    ] {
        let answer = prompts.get(query).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(answer.body["message"], "Invalid request data", "{query}");
        let issue = &answer.body["error"][0];
        assert!(
            issue["code"].is_string() && issue["message"].is_string(),
            "{issue}"
        );
        assert!(
            query.contains(issue["path"][0].as_str().unwrap()),
            "{issue}"
        );
    }
    let list = prompts.found("?limit=&page=").await;
    let meta = json!({ "page": 1, "limit": 10, "totalItems": 0, "totalPages": 0 });
    assert_eq!(list["meta"], meta);
    assert_eq!(list["pagination"], meta);
}

#[tokio::test]
async fn bodies_beyond_a_megabyte_are_413_and_those_that_are_no_json_400() {
    let project = shared().await.new_project();
    let post = async |body: String| {
        let answer = project
            .send_body(PROMPTS, body.into_bytes(), "application/json")
            .await;
        answer.status()
    };
    let large = json!({ "name": "a", "prompt": "x".repeat(1024 * 1024) }).to_string();
    assert_eq!(post(large).await, StatusCode::PAYLOAD_TOO_LARGE);
    for body in ["", "{", "[]", "null", "{\"name\":\"\\ud83d\"}"] {
        assert_eq!(
            post(body.to_owned()).await,
            StatusCode::BAD_REQUEST,
            "{body}"
        );
    }
    let deep = format!(
        "{{\"name\":\"a\",\"prompt\":\"x\",\"config\":{}",
        "[".repeat(100_000)
    );
    assert_eq!(post(deep).await, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn browsers_of_other_origins_may_ask() {
    let server = shared().await;
    let url = format!("{}{PROMPTS}", server.http_url());
    let client = reqwest::Client::new();
    let before = client
        .request(Method::OPTIONS, &url)
        .header("origin", "https://app.example")
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization,x-langfuse-sdk-name",
        )
        .send()
        .await
        .unwrap();
    assert_eq!(before.status(), StatusCode::NO_CONTENT);
    let headers = before.headers();
    assert_eq!(
        headers["access-control-allow-origin"],
        "https://app.example"
    );
    assert_eq!(
        headers["access-control-allow-headers"],
        "authorization,x-langfuse-sdk-name"
    );
    assert!(!headers.contains_key("access-control-allow-credentials"));
    let ask = client.get(&url).header("origin", "https://app.example");
    let answer = ask.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(
        answer.headers()["access-control-allow-origin"],
        "https://app.example"
    );
}

#[tokio::test]
async fn health_and_readiness_are_for_everybody() {
    let server = shared().await;
    let span = SpanBuilder::root("lately");
    let project = server.new_project();
    project.accept_traces(&export([&span])).await;
    project.trace_with_spans(span.trace_id(), 1).await;
    for path in [
        "/health",
        "/ready",
        "/health?failIfDatabaseUnavailable=true&failIfNoRecentEvents=true",
    ] {
        let path = format!("/api/public{path}");
        let (status, body) = plain(server, Method::GET, &path).await;
        assert_eq!(
            (status, &body["status"]),
            (StatusCode::OK, &json!("OK")),
            "{path}"
        );
        assert!(body["version"].is_string());
    }
}
