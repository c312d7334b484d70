//! Keys: wrong, malformed, and while Postgres is away (case C076).

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tests::{ProjectClient, Server, shared, signal};

async fn get_with(server: &Server, path: &str, headers: &[&str]) -> Response {
    let client = reqwest::Client::new();
    let mut request = client.get(format!("{}{path}", server.http_url()));
    for header in headers {
        request = request.header("authorization", *header);
    }
    request.send().await.unwrap()
}

fn basic(text: &str) -> String {
    format!("Basic {}", STANDARD.encode(text))
}

#[tokio::test]
async fn whatever_is_not_a_key_is_401_with_a_problem() {
    refused_at("/api/v1/traces", |problem| problem["status"] == 401).await;
}

#[tokio::test]
async fn whatever_is_not_a_key_is_401_for_clients_of_langfuse() {
    for path in [
        "/api/public/traces",
        "/api/public/v2/prompts",
        "/api/public/v2/scores",
    ] {
        refused_at(path, |told| told["message"].is_string()).await;
    }
}

/// That nothing but a key opens a path, and everything else is told so in JSON.
async fn refused_at(path: &str, is_told: fn(&Value) -> bool) {
    let server = shared().await;
    let get_with = async |headers: &[&str]| get_with(server, path, headers).await;
    let other = server.new_project();
    let (public, secret) = (server.public_key(), server.secret_key());
    let good = basic(&format!("{public}:{secret}"));
    let wrong = [
        basic(&format!("{public}:sk-tx-wrong")),
        basic(&format!("{}:{secret}", other.public_key)),
        basic(public),
        basic(&format!("{public}:")),
        basic(&format!("{public}:{secret} ")),
        basic(&format!("pk\0:{secret}")),
        "Basic !!!not base64!!!".to_owned(),
        "Basic".to_owned(),
        "Basic /w==".to_owned(),
        format!("Basic {}", "QUFB".repeat(2560)),
        format!("Bearer {public}x"),
        "Bearer".to_owned(),
        format!("Digest {good}"),
        good.trim_start_matches("Basic ").to_owned(),
    ];
    let mut answers = vec![get_with(&[]).await, get_with(&[&good, &good]).await];
    for header in &wrong {
        answers.push(get_with(&[header]).await);
    }
    for (at, answer) in answers.into_iter().enumerate() {
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "number {at}");
        let kind = answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(kind.ends_with("json"), "number {at}: {kind}");
        let problem: Value = answer.json().await.unwrap();
        assert!(is_told(&problem), "number {at}: {problem}");
    }
    // It is a key, but not for that.
    let part = get_with(&[&format!("Bearer {public}")]).await;
    assert_eq!(part.status(), StatusCode::FORBIDDEN);
    assert_eq!(get_with(&[&good]).await.status(), StatusCode::OK);
    assert_eq!(
        get_with(&[&format!("bearer {secret}")]).await.status(),
        StatusCode::OK
    );
}

#[tokio::test]
async fn known_keys_go_on_working_while_postgres_is_away() {
    let server = Server::start().await;
    let known = server.client();
    assert_eq!(known.get("/api/v1/traces").await.status(), StatusCode::OK);
    let stopped = with_children(server.engine_pid("postgres").unwrap());
    stopped.iter().for_each(|pid| signal(*pid, "STOP"));
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(8) {
        assert_eq!(known.get("/api/v1/traces").await.status(), StatusCode::OK);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let unknown = ProjectClient::new(server.http_url(), "pk-tx-unknown", "sk-tx-unknown");
    let answer = unknown.get("/api/v1/traces").await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers().contains_key("retry-after"));
    let page = reqwest::get(format!("{}/sign-in", server.http_url()))
        .await
        .unwrap();
    assert_eq!(page.status(), StatusCode::SERVICE_UNAVAILABLE);
    let ready = reqwest::get(format!("{}/readyz", server.http_url()))
        .await
        .unwrap();
    assert_eq!(ready.status(), StatusCode::SERVICE_UNAVAILABLE);
    let ready: Value = ready.json().await.unwrap();
    assert_eq!(ready["parts"]["postgres"]["ok"], false);
    assert_eq!(ready["parts"]["clickhouse"]["ok"], true);
    stopped.iter().rev().for_each(|pid| signal(*pid, "CONT"));
    tests::eventually("unknown keys are refused again", async || {
        match unknown.get("/api/v1/traces").await.status() {
            StatusCode::UNAUTHORIZED => Ok(()),
            status => Err(status),
        }
    })
    .await;
}

/// A process and all its children: stopping Postgres' first process alone leaves its connections
/// served.
fn with_children(pid: u32) -> Vec<u32> {
    let mut all = vec![pid];
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let parent = after_name
            .split_whitespace()
            .nth(1)
            .and_then(|text| text.parse().ok());
        if parent == Some(pid) {
            all.extend(
                entry
                    .file_name()
                    .to_str()
                    .and_then(|name| name.parse::<u32>().ok()),
            );
        }
    }
    all
}
