//! Business events: taken, listed, deleted.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::shared;

use super::{SECOND, ago, field, pages, post, time};

#[tokio::test(flavor = "multi_thread")]
async fn business_events_are_stored_before_the_answer_once_and_go_with_their_trace() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("chat");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let sent = json!([
        {"id": "a/1", "type": "ticket", "at": time(ago(30)), "trace_id": span.trace_id().to_uppercase(),
         "user_id": "u", "session_id": "s", "ab_group": "b", "attributes": {"queue": "计费", "deep": [1, {"a": null}]}},
        {"id": "b", "type": "conversion", "at": time(ago(20)), "value": 12.5, "user_id": "u"},
        {"type": "custom", "name": "handover", "at": time(ago(10))},
    ]);
    let (status, taken) = post(&client, &sent).await;
    assert_eq!(status, StatusCode::OK, "{taken}");
    assert_eq!(
        (taken["accepted"].as_u64(), taken["stored"].as_u64()),
        (Some(3), Some(3))
    );
    assert_eq!(taken["ids"][0], "a/1");
    let listed = client.get_json("/api/v1/business-events").await;
    let listed = listed["data"].as_array().unwrap();
    assert_eq!(field(listed, "type"), ["custom", "conversion", "ticket"]);
    let ticket = &listed[2];
    assert_eq!(ticket["trace_id"], span.trace_id());
    for name in ["at", "user_id", "session_id", "ab_group", "attributes"] {
        assert_eq!(ticket[name], sent[0][name], "{name}");
    }
    assert_eq!(ticket["value"], Value::Null);

    // The same ids again, one with other words: nothing changes.
    let mut again = sent.clone();
    again[0]["user_id"] = json!("somebody else");
    again.as_array_mut().unwrap().pop();
    let (_, taken) = post(&client, &again).await;
    assert_eq!(taken["stored"], 0);
    let after = client.get_json("/api/v1/business-events").await;
    assert_eq!(after["data"].as_array().unwrap(), listed);
    // Within one request as well.
    let twice = json!([sent[0], {"id": "c", "type": "ticket", "at": time(ago(5))}, {"id": "c", "type": "ticket", "at": time(ago(4))}]);
    assert_eq!(post(&client, &twice).await.1["stored"], 1);

    for (query, count) in [
        ("?type=ticket", 2),
        ("?type=custom&name=handover", 1),
        ("?user_id=u", 2),
        ("?session_id=s", 1),
        ("?ab_group=b", 1),
        ("?trace_id=none", 0),
    ] {
        let found = client
            .get_json(&format!("/api/v1/business-events{query}"))
            .await;
        assert_eq!(found["data"].as_array().unwrap().len(), count, "{query}");
    }
    let paged = pages(&client, "/api/v1/business-events", 3).await;
    assert_eq!((paged.len(), paged[3]["id"].as_str()), (4, Some("a/1")));

    let delete = |path: String| {
        let request = client.request(Method::DELETE, &path);
        async move { request.send().await.unwrap().status() }
    };
    assert_eq!(
        delete("/api/v1/business-events/b".to_owned()).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        delete("/api/v1/business-events/b".to_owned()).await,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        delete(format!("/api/v1/traces/{}", span.trace_id())).await,
        StatusCode::NO_CONTENT
    );
    let left = client.get_json("/api/v1/business-events").await;
    let mut kinds = field(left["data"].as_array().unwrap(), "type");
    kinds.sort_unstable();
    assert_eq!(kinds, ["custom", "ticket"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_business_events_is_told_one_by_one_and_nothing_is_stored() {
    let client = shared().await.new_project();
    let now = time(now_nanos());
    let sent = json!([
        {"type": "ticket", "at": now},
        {"type": "sale", "at": now},
        {"type": "ticket", "at": "yesterday"},
        {"type": "ticket", "at": now, "value": "much"},
        {"type": "ticket", "at": now, "usr": "u"},
    ]);
    let (status, problem) = post(&client, &sent).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let errors = problem["errors"].as_array().unwrap();
    assert_eq!(
        field(errors, "path"),
        ["[1].type", "[2].at", "[3].value", "[4]"]
    );
    let ahead = json!([{"type": "ticket", "at": time(now_nanos() + 3 * 86_400 * SECOND)}]);
    let (status, problem) = post(&client, &ahead).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(problem["errors"][0]["path"], "[0].at");
    for body in ["{}", "nonsense", "\"[]\""] {
        let request = client.request(Method::POST, "/api/v1/business-events");
        let status = request.body(body).send().await.unwrap().status();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
    }
    let many = vec![json!({"type": "ticket", "at": now}); 1_001];
    assert_eq!(
        post(&client, &json!(many)).await.0,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    assert_eq!(post(&client, &json!([])).await.1["stored"], 0);
    let stored = client.get_json("/api/v1/business-events").await;
    assert_eq!(stored["data"], json!([]));
}
