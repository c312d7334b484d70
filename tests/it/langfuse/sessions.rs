//! Sessions as clients of Langfuse read them.

use reqwest::StatusCode;
use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::{all, becomes, event, found, ingest, read};

#[tokio::test]
async fn sessions_are_what_traces_name() {
    let client = shared().await.new_project();
    let trace = |id: &str, session: &str, environment: &str| json!({"id": id, "name": id, "sessionId": session, "environment": environment});
    let events = [
        event(1, 1, "trace-create", &trace("a", "one/1", "prod")),
        event(2, 2, "trace-create", &trace("b", "two", "default")),
        event(3, 3, "trace-create", &trace("c", "one/1", "default")),
    ];
    ingest(&client, &events).await;
    let span = SpanBuilder::root("root").attribute("session.id", "three");
    client.accept_traces(&export([&span])).await;
    let project = client.project_id.clone().unwrap();
    let list = becomes(&client, "/sessions", |list| list["meta"]["totalItems"] == 3).await;
    let mut ids = all(&list, "id");
    ids.sort_by_key(|id| id.as_str() == Some("three"));
    assert_eq!(ids, ["two", "one/1", "three"]);
    let one = json!({
        "id": "one/1", "createdAt": "2026-11-03T10:00:01.000Z", "projectId": project, "environment": "prod",
    });
    assert!(list["data"].as_array().unwrap().contains(&one));
    let narrowed: &[(&str, &[&str])] = &[
        ("environment=prod", &["one/1"]),
        (
            "environment=prod,default&toTimestamp=2026-11-03T10:00:02Z",
            &["one/1"],
        ),
        (
            "fromTimestamp=2026-11-03T10:00:02Z&toTimestamp=2026-11-03T10:00:03Z",
            &["two"],
        ),
    ];
    for (query, expected) in narrowed {
        let list = found(&client, &format!("/sessions?{query}")).await;
        assert_eq!(all(&list, "id"), *expected, "{query}");
    }
    let beyond = found(&client, "/sessions?limit=2&page=3").await;
    assert_eq!(
        (beyond["data"].clone(), &beyond["meta"]["totalItems"]),
        (json!([]), &json!(3))
    );

    let whole = becomes(&client, "/sessions/one%2F1", |whole| {
        whole["traces"].as_array().unwrap().len() == 2
    })
    .await;
    let traces = whole["traces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|trace| &trace["name"]);
    assert_eq!(traces.collect::<Vec<_>>(), ["c", "a"]);
    assert_eq!(whole["traces"][0].get("htmlPath"), None);
    let missing = read(&client, "/sessions/none").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert_eq!(missing.body["error"], "LangfuseNotFoundError");
}
