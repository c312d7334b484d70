//! Protected labels: a key may move one if its role allows it, and not otherwise.

use std::process::Command;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{ProjectClient, Server, binary, shared};

use super::Prompts;

fn admin_of(server: &Server, project: &ProjectClient) -> ProjectClient {
    let output = Command::new(binary())
        .args(["admin", "create-key", "--role", "admin", "--project"])
        .arg(project.project_id.as_deref().unwrap())
        .arg("--data-dir")
        .arg(server.data_dir())
        .output()
        .unwrap();
    let made: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |key: &str| made[key].as_str().unwrap();
    ProjectClient::new(server.http_url(), text("public_key"), text("secret_key"))
}

async fn protect(project: &ProjectClient, labels: &Value) -> (StatusCode, Value) {
    let body = json!({ "labels": labels }).to_string();
    let request = project.request(Method::PUT, "/api/v1/protected-labels");
    let answer = request.body(body).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

#[tokio::test]
async fn a_protected_label_is_moved_with_an_admins_key_only() {
    let server = shared().await;
    let project = server.new_project();
    let admin = admin_of(server, &project);
    let (prompts, by_admin) = (Prompts(&project), Prompts(&admin));
    prompts.text("p", "1", &["production"]).await;
    prompts.text("p", "2", &["staging"]).await;
    let production = json!(["production"]);
    assert_eq!(
        protect(&project, &production).await.0,
        StatusCode::FORBIDDEN
    );
    let (status, body) = protect(&admin, &production).await;
    assert_eq!((status, &body["labels"]), (StatusCode::OK, &production));
    let moved = prompts.label("p", 2, &["production"]).await;
    assert_eq!(moved.status, StatusCode::FORBIDDEN);
    assert_eq!(moved.body["error"], "ForbiddenError");
    let made = json!({ "name": "p", "prompt": "3", "labels": ["production"] });
    assert_eq!(prompts.create(&made).await.status, StatusCode::FORBIDDEN);
    for path in ["/p", "/p?version=1", "/p?label=production"] {
        assert_eq!(
            prompts.delete(path).await.status,
            StatusCode::FORBIDDEN,
            "{path}"
        );
    }
    assert_eq!(prompts.found("/p").await["version"], 1);
    // What it has already is not moved, and other labels are free.
    assert_eq!(
        prompts.label("p", 1, &["production"]).await.status,
        StatusCode::OK
    );
    assert_eq!(
        prompts.label("p", 1, &["staging"]).await.status,
        StatusCode::OK
    );
    assert_eq!(
        by_admin.label("p", 2, &["production"]).await.status,
        StatusCode::OK
    );
    assert_eq!(prompts.found("/p").await["version"], 2);
    assert_eq!(protect(&admin, &json!([])).await.0, StatusCode::OK);
    assert_eq!(
        prompts.label("p", 1, &["production"]).await.status,
        StatusCode::OK
    );
    for wrong in [
        json!(["latest"]),
        json!(["Not so"]),
        json!("production"),
        json!([1]),
    ] {
        assert_eq!(
            protect(&admin, &wrong).await.0,
            StatusCode::BAD_REQUEST,
            "{wrong}"
        );
    }
}
