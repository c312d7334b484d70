//! Connections to providers of models: their credentials come in and never out.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, Row};
use tests::langfuse::Answer;
use tests::{ProjectClient, shared};

use super::{found, read};

const CONNECTIONS: &str = "/api/public/llm-connections";
const SECRET: &str = "sk-a-secret-of-the-provider-7f3a";

async fn put(client: &ProjectClient, body: &Value) -> Answer {
    client.langfuse(Method::PUT, CONNECTIONS, Some(body)).await
}

#[tokio::test]
async fn a_connection_is_set_by_its_provider_and_its_credentials_are_never_shown() {
    let server = shared().await;
    let project = server.new_project();
    let body = json!({
        "provider": "gateway",
        "adapter": "openai",
        "secretKey": SECRET,
        "baseURL": "https://gateway.example/v1",
        "customModels": ["small", "large"],
        "extraHeaders": { "x-gateway-token": SECRET },
    });
    let made = put(&project, &body).await;
    assert_eq!(made.status, StatusCode::CREATED);
    assert_eq!(made.body["displaySecretKey"], "...7f3a");
    assert_eq!(made.body["extraHeaderKeys"], json!(["x-gateway-token"]));
    assert_eq!(made.body["withDefaultModels"], true);
    let body = json!({
        "provider": "gateway",
        "adapter": "bedrock",
        "secretKey": SECRET,
        "config": { "region": "eu-west-1" },
        "withDefaultModels": false,
    });
    let changed = put(&project, &body).await;
    assert_eq!(changed.status, StatusCode::OK);
    for field in ["id", "createdAt"] {
        assert_eq!(changed.body[field], made.body[field]);
    }
    assert_eq!(changed.body["extraHeaderKeys"], json!([]));
    assert_eq!(changed.body["config"], json!({ "region": "eu-west-1" }));
    let list = found(&project, "/llm-connections").await;
    assert_eq!(list["data"], json!([changed.body]));
    assert_eq!(list["meta"]["totalItems"], 1);
    assert!(!list.to_string().contains(SECRET));

    // Neither Postgres nor the log has them in the clear.
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = run["database_url"].as_str().unwrap();
    let mut postgres = PgConnection::connect(url).await.unwrap();
    let id: uuid::Uuid = changed.body["id"].as_str().unwrap().parse().unwrap();
    let row = sqlx::query(
        "SELECT secret, llm_connections::TEXT AS row FROM llm_connections WHERE id = $1",
    )
    .bind(id)
    .fetch_one(&mut postgres)
    .await
    .unwrap();
    let secret: Vec<u8> = row.get("secret");
    assert_eq!(secret.len(), 24 + SECRET.len() + 16, "nonce, text, tag");
    assert!(!row.get::<String, _>("row").contains(&hex(SECRET)));
    let log = std::fs::read_to_string(server.data_dir().with_extension("log")).unwrap();
    assert!(!log.contains(SECRET));

    let path = format!("{CONNECTIONS}/{}", changed.body["id"].as_str().unwrap());
    let gone = project.langfuse(Method::DELETE, &path, None).await;
    assert_eq!(gone.status, StatusCode::OK);
    let again = project.langfuse(Method::DELETE, &path, None).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    assert_eq!(again.body["error"], "LangfuseNotFoundError");
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn what_is_no_connection_is_refused() {
    let project = shared().await.new_project();
    let whole = json!({ "provider": "p", "adapter": "openai", "secretKey": SECRET });
    for (field, value) in [
        ("provider", Value::Null),
        ("provider", json!("")),
        ("provider", json!("a\u{0}b")),
        ("adapter", json!("abacus")),
        ("secretKey", json!("")),
        ("baseURL", json!("file:///etc/passwd")),
        ("customModels", json!([""])),
        ("extraHeaders", json!({ "a b": "x" })),
        ("extraHeaders", json!({ "a": "x\r\ny" })),
        ("extraHeaders", json!({ "Transfer-Encoding": "chunked" })),
        ("extraHeaders", json!({ "connection": "close" })),
        ("config", json!({ "region": "x" })),
    ] {
        let mut body = whole.clone();
        body[field] = value;
        let answer = put(&project, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.body["message"], "Invalid request data");
        assert!(!answer.body.to_string().contains(SECRET));
    }
    for query in ["?foo=1", "?limit=101", "?page=0"] {
        let answer = read(&project, &format!("/llm-connections{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
    }
}
