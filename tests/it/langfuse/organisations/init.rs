//! What a start makes by Langfuse's variables, and ids that are any text.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, Settings};

use super::done;

const PUBLIC: &str = "pk-lf-1234567890";
const SECRET: &str = "sk-lf-1234567890";

async fn start() -> Server {
    let mut settings = Settings::default();
    for ours in [
        "ORG",
        "PROJECT",
        "PUBLIC_KEY",
        "SECRET_KEY",
        "EMAIL",
        "PASSWORD",
    ] {
        settings = settings.with(&format!("TRIAXIS_INIT_{ours}"), "");
    }
    for (name, value) in [
        ("TRIAXIS_ADMIN_API_KEY", ""),
        ("LANGFUSE_INIT_ORG_ID", "my-org"),
        ("LANGFUSE_INIT_ORG_NAME", "My Org"),
        ("LANGFUSE_INIT_PROJECT_ID", "my-project"),
        ("LANGFUSE_INIT_PROJECT_NAME", "My Project"),
        ("LANGFUSE_INIT_PROJECT_RETENTION", "30"),
        ("LANGFUSE_INIT_PROJECT_PUBLIC_KEY", PUBLIC),
        ("LANGFUSE_INIT_PROJECT_SECRET_KEY", SECRET),
        ("LANGFUSE_INIT_USER_EMAIL", "grace@example.org"),
        ("LANGFUSE_INIT_USER_NAME", "Grace Hopper"),
        ("LANGFUSE_INIT_USER_PASSWORD", "a ship in port is safe"),
    ] {
        settings = settings.with(name, value);
    }
    Server::start_with(settings).await
}

#[tokio::test(flavor = "multi_thread")]
async fn langfuses_variables_make_what_they_name_and_ids_are_as_they_were_given() {
    let server = start().await;
    let project = ProjectClient::new(server.http_url(), PUBLIC, SECRET);
    let shown = done(&project, (Method::GET, "/projects"), None, StatusCode::OK).await;
    let expected = json!({
        "id": "my-project",
        "name": "My Project",
        "organization": { "id": "my-org", "name": "My Org" },
        "metadata": {},
        "retentionDays": 30,
    });
    assert_eq!(shown["data"], json!([expected]));

    let made = server.admin(&["create-key", "--organisation", "my-org", "--role", "owner"]);
    let text = |field: &str| made[field].as_str().unwrap().to_owned();
    let organisation =
        ProjectClient::new(server.http_url(), &text("public_key"), &text("secret_key"));
    let renamed = json!({ "name": "Renamed", "retention": 30 });
    let path = "/projects/my-project";
    let renamed = done(
        &organisation,
        (Method::PUT, path),
        Some(&renamed),
        StatusCode::OK,
    )
    .await;
    assert_eq!(renamed["id"], "my-project");
    let members = done(
        &organisation,
        (Method::GET, "/organizations/memberships"),
        None,
        StatusCode::OK,
    )
    .await;
    let first = &members["memberships"][0];
    assert_eq!(
        (&first["name"], &first["role"]),
        (&json!("Grace Hopper"), &json!("OWNER"))
    );

    // Without a key nobody operates.
    let url = format!("{}/api/admin/organizations", server.http_url());
    let answer = reqwest::Client::new().get(url).bearer_auth("").send().await;
    assert_eq!(answer.unwrap().status(), StatusCode::UNAUTHORIZED);

    // What was deleted is made anew by the next start, and begins empty.
    let span = SpanBuilder::root("before");
    project.accept_traces(&export([&span])).await;
    project.trace_with_spans(span.trace_id(), 1).await;
    done(
        &organisation,
        (Method::DELETE, path),
        None,
        StatusCode::ACCEPTED,
    )
    .await;
    assert_eq!(server.stop(), Some(0));
    server.start_again().await;
    let shown = done(&project, (Method::GET, "/projects"), None, StatusCode::OK).await;
    assert_eq!(shown["data"][0]["name"], "My Project");
    let trace = format!("/api/v1/traces/{}", span.trace_id());
    assert_eq!(project.get(&trace).await.status(), StatusCode::NOT_FOUND);
    let kept = server.data_dir().join("encryption.key");
    assert_eq!(std::fs::read_to_string(kept).unwrap().len(), 64);
}
