//! What hangs on what goes, goes with it.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server};

use super::{aged, counted, set};
use crate::deletions::everywhere::{hang_on, in_files};
use crate::deletions::project;
use crate::langfuse::found;

/// A trace in the environment `dev` that began some hours ago, with all that people and programs add to one.
async fn plant(client: &ProjectClient, hours: u64, (session, mark): (&str, &str)) -> SpanBuilder {
    let root = aged(SpanBuilder::root("chat"), hours)
        .attribute("langfuse.environment", "dev")
        .attribute("user.id", format!("user-{mark}"))
        .attribute("session.id", session)
        .attribute("input.value", format!("my number is {mark}"));
    let below = root
        .child("answer")
        .attribute("langfuse.environment", "dev")
        .attribute("session.id", session);
    client.accept_traces(&export([&root, &below])).await;
    client.trace_with_spans(root.trace_id(), 2).await;
    let of = (format!("user-{mark}"), session.to_owned(), mark.to_owned());
    hang_on(
        client,
        (root.trace_id(), root.span_id()),
        (&of.0, &of.1, &of.2),
    )
    .await;
    root
}

/// How often some lists show a mark.
async fn shown(client: &ProjectClient, path: &str, mark: &str) -> usize {
    let text = client.get_json(path).await.to_string();
    text.matches(mark).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn c074_retention_removes_shells_too() {
    let server = Server::start().await;
    let (member, admin) = project(&server);
    let old = plant(&member, 72, ("alone", "OLD7411")).await;
    let mixed = aged(SpanBuilder::root("chat"), 72)
        .attribute("langfuse.environment", "dev")
        .attribute("user.id", "user-mixed")
        .attribute("session.id", "mixed")
        .attribute("gen_ai.request.model", "gone-with-the-old");
    member.accept_traces(&export([&mixed])).await;
    member.trace_with_spans(mixed.trace_id(), 1).await;
    let new = plant(&member, 1, ("mixed", "NEW7412")).await;
    // Of another environment, and as old.
    let elsewhere = aged(SpanBuilder::root("chat"), 72);
    member.accept_traces(&export([&elsewhere])).await;
    member.trace_with_spans(elsewhere.trace_id(), 1).await;
    let kept = format!("/api/v1/traces/{}", new.trace_id());
    let before = member.get_json(&kept).await;

    let days = json!({"environments": {"dev": {"content_days": 1, "structure_days": 1}}});
    let verification = set(&admin, &days).await;
    assert_eq!(verification["rows_past_their_time"], 0, "{verification}");
    assert_eq!(verification["removed"]["traces"], 2, "{verification}");

    for gone in [&old, &mixed] {
        let path = format!("/api/v1/traces/{}", gone.trace_id());
        assert_eq!(member.get(&path).await.status(), 404);
    }
    assert_eq!(member.get_json(&kept).await, before);
    let path = format!("/api/v1/traces/{}", elsewhere.trace_id());
    assert!(member.get(&path).await.status().is_success());
    // What an application made of the item has the user's words, and is as new as the item.
    for (list, times) in [
        ("/api/v1/users?limit=100", 0),
        ("/api/public/comments?limit=100", 0),
        ("/api/public/v2/scores?limit=100", 0),
        ("/api/v1/business-events?limit=100", 2),
        ("/api/public/dataset-items?limit=100", 2),
    ] {
        let many = shown(&member, list, "OLD7411").await;
        assert_eq!(
            many.min(2),
            times,
            "{list}: {}",
            member.get_json(list).await
        );
        assert!(shown(&member, list, "NEW7412").await > 0, "{list}");
    }
    sessions(&member).await;
    let columns = "/api/v1/spans?limit=100&fields=all";
    assert_eq!(shown(&member, columns, "gone-with-the-old").await, 0);
    physically(&server, &old, &mixed).await;
}

/// The mixed session stays with its new trace and right totals, the other one is gone.
async fn sessions(client: &ProjectClient) {
    let listed = client.get_json("/api/v1/sessions").await;
    let ids: Vec<&Value> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| &session["session_id"])
        .collect();
    assert_eq!(ids, [&json!("mixed")], "{listed}");
    assert_eq!(listed["data"][0]["trace_count"], 1, "{listed}");
    assert_eq!(client.get("/api/v1/sessions/alone").await.status(), 404);
    let queues = found(client, "/annotation-queues?limit=100").await;
    let mut items = 0;
    for queue in queues["data"].as_array().unwrap() {
        let path = format!("/annotation-queues/{}/items", queue["id"].as_str().unwrap());
        items += found(client, &path).await["data"].as_array().unwrap().len();
    }
    assert_eq!(items, 2, "those of the new trace and its session");
}

/// Nothing of the old traces is on the disk, marked as deleted or not.
async fn physically(server: &Server, old: &SpanBuilder, mixed: &SpanBuilder) {
    for table in ["spans", "logs", "scores", "changes", "traces"] {
        for trace in [old, mixed] {
            let rows = format!("{table} WHERE trace_id = '{}'", trace.trace_id());
            assert_eq!(counted(server, &rows).await, 0, "{rows}");
        }
    }
    let media = server.data_dir().join("media");
    assert_eq!(in_files(&media, b"OLD7411"), Vec::<String>::new());
    assert_eq!(in_files(&media, b"NEW7412").len(), 1);
}
