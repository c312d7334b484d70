//! What arrives of a user who was forgotten is dropped and counted, and nothing of anybody else is.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::builders::{SpanBuilder, export, export_logs, log_record, now_nanos};
use tests::shared;

use super::{ask, of_user, project, verified};
use crate::langfuse::{becomes, event, ingest, read};

#[tokio::test(flavor = "multi_thread")]
async fn late_and_replayed_records_of_a_forgotten_user_are_dropped_and_counted() {
    let server = shared().await;
    let (member, admin) = project(server);
    let before = of_user("before", "u");
    member.accept_traces(&export([&before])).await;
    member.trace_with_spans(before.trace_id(), 1).await;
    let id = ask(&admin, "u").await;
    verified(&admin, &id).await;

    // Replayed; late within its trace, without the user; new, with a span below that names nobody.
    let nameless = before.child("late, and names nobody");
    let late = of_user("late", "u");
    let below = late.child("below");
    let other = of_user("of another", "v");
    let all = [&before, &nameless, &late, &below, &other];
    member.accept_traces(&export(all)).await;
    let log = log_record(&before, "", json!({"stringValue": "a line of the trace"}));
    member.accept_logs(&export_logs(&[log])).await;
    let batch = [
        event(
            1,
            1,
            "trace-create",
            &json!({"id": "lf", "name": "late", "userId": "u"}),
        ),
        event(
            2,
            2,
            "span-create",
            &json!({"id": "lf-span", "traceId": "lf", "name": "below"}),
        ),
        event(
            3,
            3,
            "trace-create",
            &json!({"id": "lf-other", "name": "other", "userId": "v"}),
        ),
    ];
    ingest(&member, &batch).await;
    let at = domain::Timestamp::from_unix_nanos(now_nanos())
        .unwrap()
        .to_string();
    let events = json!([
        {"id": "e1", "type": "ticket", "at": at, "user_id": "u"},
        {"id": "e2", "type": "ticket", "at": at, "user_id": "v"},
    ]);
    let sent = member.request(Method::POST, "/api/v1/business-events");
    let sent = sent.body(events.to_string()).send().await.unwrap();
    assert_eq!(sent.status(), StatusCode::OK);

    member.trace_with_spans(other.trace_id(), 1).await;
    becomes(&member, "/traces/lf-other", |_| true).await;
    for trace in [before.trace_id(), late.trace_id(), "lf"] {
        let path = format!("/api/v1/traces/{trace}");
        assert_eq!(
            member.get(&path).await.status(),
            StatusCode::NOT_FOUND,
            "{trace}"
        );
    }
    assert_eq!(
        read(&member, "/observations/lf-span").await.status,
        StatusCode::NOT_FOUND
    );
    let events = member.get_json("/api/v1/business-events").await;
    let events = events["data"].as_array().unwrap();
    assert_eq!((events.len(), events[0]["id"].as_str()), (1, Some("e2")));
    // Two spans and a change and an event by name; what came along with them counts, too.
    let shown = admin.get_json(&format!("/api/v1/deletions/{id}")).await;
    let dropped = shown["late_records_dropped"].as_u64().unwrap();
    assert!(dropped >= 4, "{shown}");
    let metrics = reqwest::get(format!("{}/metrics", server.http_url()))
        .await
        .unwrap();
    let metrics = metrics.text().await.unwrap();
    assert!(
        metrics.contains("triaxis_tombstone_dropped_total"),
        "{metrics}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_follows_a_dropped_span_in_its_trace_is_dropped_too() {
    let (member, admin) = project(shared().await);
    let id = ask(&admin, "u").await;
    verified(&admin, &id).await;
    let root = of_user("late", "u");
    member.accept_traces(&export([&root])).await;
    // It names nobody, and comes in a request of its own.
    let below: SpanBuilder = root.child("below");
    member.accept_traces(&export([&below])).await;
    let fence = SpanBuilder::root("fence");
    member.accept_traces(&export([&fence])).await;
    member.trace_with_spans(fence.trace_id(), 1).await;
    let path = format!("/api/v1/traces/{}", root.trace_id());
    assert_eq!(member.get(&path).await.status(), StatusCode::NOT_FOUND);
}
