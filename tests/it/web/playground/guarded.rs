//! Who may run models, and where requests may go: without a browser.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::shared;

use crate::web::headers::Visitor;
use crate::web::tenancy::{add_member, new_key};

async fn owner() -> (Visitor, String) {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    owner.read(&format!("{project}/playground")).await;
    (owner, project)
}

/// Runs a window; status and everything that was told.
async fn run(visitor: &Visitor, project: &str, form: &[(&str, &str)]) -> (StatusCode, String) {
    let answer = visitor
        .post(&format!("{project}/playground/run"), form)
        .await;
    (answer.status(), answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_leaves_for_where_the_operator_does_not_allow_it() {
    let (mut owner, project) = owner().await;
    let client = new_key(&mut owner, &project).await;
    for (name, url) in [
        ("within", "http://127.0.0.1:9/v1"),
        ("metadata", "http://169.254.169.254/v1"),
        ("by name", "http://localhost:9/v1"),
    ] {
        let body = json!({"provider": name, "adapter": "openai", "secretKey": "sk-guarded", "baseURL": url});
        let path = "/api/public/llm-connections";
        let made = client.langfuse(Method::PUT, path, Some(&body)).await;
        let id = made.body["id"].as_str().unwrap().to_owned();
        let form = [
            ("_csrf", owner.csrf.as_str()),
            ("connection", id.as_str()),
            ("model", "m"),
            ("role", "user"),
            ("form", "text"),
            ("content", "Hi"),
        ];
        let (status, told) = run(&owner, &project, &form).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        assert!(told.starts_with("event: failed"), "{told}");
        assert!(told.contains("TRIAXIS_ALLOW_PRIVATE_ADDRESSES"), "{told}");
        assert!(!told.contains("sk-guarded"));
        let (status, _) = run(&owner, &project, &form[1..]).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "without its token");
        let delete = format!("{path}/{id}");
        client.langfuse(Method::DELETE, &delete, None).await;
        let (status, _) = run(&owner, &project, &form).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "the connection is gone");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_reads_the_playground_and_runs_nothing() {
    let (mut owner, project) = owner().await;
    let (email, password) = add_member(&mut owner, &project, "player").await;
    let mut viewer = Visitor::signed_in_as(&email, password).await;
    let page = viewer.read(&format!("{project}/playground")).await;
    assert!(page.contains("not run models"), "it says so");
    assert!(!page.contains("data-play-do=\"run\""));
    let form = [
        ("_csrf", viewer.csrf.as_str()),
        ("connection", "00000000-0000-0000-0000-000000000001"),
        ("model", "m"),
        ("role", "user"),
        ("form", "text"),
        ("content", "Hi"),
        ("provider", "taken"),
        ("secret", "sk-taken"),
    ];
    let (status, _) = run(&viewer, &project, &form).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    for path in [
        "playground/prompt",
        "playground/dataset",
        "settings/llm-connections",
    ] {
        let answer = viewer.post(&format!("{project}/{path}"), &form).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_is_refused() {
    let (owner, project) = owner().await;
    let long = "x".repeat((8 << 20) + (64 << 10));
    let form = [("_csrf", owner.csrf.as_str()), ("content", long.as_str())];
    let (status, _) = run(&owner, &project, &form).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let missing = format!("{project}/playground?trace=there-is-none");
    assert_eq!(owner.get(&missing).await.status(), StatusCode::NOT_FOUND);
    let missing = format!("{project}/playground?prompt=there-is-none");
    assert_eq!(owner.get(&missing).await.status(), StatusCode::NOT_FOUND);
}
