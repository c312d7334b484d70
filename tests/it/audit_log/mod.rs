//! Who did what and who saw what, and whether what was written about it still holds.

mod migrated;
mod page;
mod tampered;
mod told;

use reqwest::Method;
use serde_json::{Value, json};
use tests::{ProjectClient, Server};

/// All entries of the log, the oldest first, as they are exported.
async fn exported(admin: &ProjectClient) -> Vec<Value> {
    let answer = admin.get("/api/v1/audit-log?format=jsonl").await;
    assert!(answer.status().is_success(), "{}", answer.status());
    let text = answer.text().await.unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

async fn verdict(admin: &ProjectClient) -> Value {
    admin.get_json("/api/v1/audit-log/verify").await
}

/// Sets something that is written down; its id.
async fn set_something(admin: &ProjectClient, model: &str) -> String {
    let request = admin.request(Method::POST, "/api/v1/objectives");
    let body = json!({"model": model, "ttft_ms": 500});
    let answer = request.json(&body).send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
    let made: Value = answer.json().await.unwrap();
    made["id"].as_str().unwrap().to_owned()
}

async fn database(server: &Server) -> sqlx::PgConnection {
    use sqlx::Connection as _;
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = run["database_url"].as_str().unwrap();
    sqlx::PgConnection::connect(url).await.unwrap()
}
