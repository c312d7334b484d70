//! Traces as clients of Langfuse read them, however they were sent.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::{all, becomes, escaped, event, found, ingest, read};

/// Three traces of a client that describes traces as such.
async fn described() -> ProjectClient {
    let client = shared().await.new_project();
    let generation = json!({
        "id": "call", "traceId": "a/1", "name": "answer", "startTime": "2026-11-03T10:00:02Z",
        "endTime": "2026-11-03T10:00:04Z", "model": "none-such", "input": "7", "output": "Hi.",
        "usageDetails": {"input": 7, "output": 3}, "costDetails": {"input": 0.5, "total": 1.25},
    });
    let events = [
        event(
            1,
            1,
            "trace-create",
            &json!({
                "id": "a/1", "name": "chat", "userId": "u1", "sessionId": "s1", "tags": ["b", "a"],
                "metadata": {"a": 1, "n": {"x": 1}}, "input": {"q": "Hello?"}, "version": "v1",
                "timestamp": "2026-11-03T10:00:01Z", "environment": "Langfuse-Prod", "release": "r1",
            }),
        ),
        event(2, 2, "generation-create", &generation),
        event(
            3,
            3,
            "trace-create",
            &json!({
                "id": "a/1", "tags": ["c", "a"], "metadata": {"b": 2}, "output": "Hi.", "public": true,
            }),
        ),
        event(
            4,
            4,
            "score-create",
            &json!({"id": "good", "traceId": "a/1", "name": "good", "value": "yes"}),
        ),
        event(
            5,
            5,
            "trace-create",
            &json!({"id": "a2", "name": "chat", "userId": "u2", "tags": ["a"]}),
        ),
        event(6, 6, "trace-create", &json!({"id": "a3", "name": "gone"})),
        event(7, 7, "trace-create", &json!({"id": "a3", "name": null})),
        // A span of the name of a trace does not make its trace one of that name.
        event(
            8,
            8,
            "span-create",
            &json!({"id": "step", "traceId": "a3", "name": "chat", "level": "ERROR"}),
        ),
    ];
    ingest(&client, &events).await;
    becomes(&client, "/traces", |list| {
        let rows = list["data"].as_array().unwrap();
        let are_whole = rows.iter().any(|row| row["scores"] == json!(["good"]))
            && rows
                .iter()
                .any(|row| row["observations"] == json!(["step"]));
        rows.len() == 3 && are_whole && rows[2]["public"] == true && rows[0]["name"].is_null()
    })
    .await;
    client
}

#[tokio::test]
async fn a_described_trace_is_read_as_it_was_described() {
    let client = described().await;
    let project = client.project_id.clone().unwrap();
    let list = found(&client, "/traces").await;
    assert_eq!(
        list["meta"],
        json!({"page": 1, "limit": 50, "totalItems": 3, "totalPages": 1})
    );
    assert_eq!(all(&list, "id"), ["a3", "a2", "a/1"]);
    let expected = json!({
        "id": "a/1", "projectId": project, "name": "chat", "timestamp": "2026-11-03T10:00:01.000Z",
        "environment": "prod", "tags": ["a", "b", "c"], "bookmarked": false, "public": true,
        "release": "r1", "version": "v1", "userId": "u1", "sessionId": "s1", "externalId": null,
        "createdAt": "2026-11-03T10:00:01.000Z", "updatedAt": "2026-11-03T10:00:04.000Z",
        "input": {"q": "Hello?"}, "output": "Hi.", "metadata": {"a": 1, "b": 2, "n": {"x": 1}},
        "htmlPath": format!("/project/{project}/traces/a%2F1"), "latency": 3.0, "totalCost": 1.25,
        "observations": ["call"], "scores": ["good"],
    });
    assert_eq!(list["data"][2], expected);

    let mut whole = found(&client, "/traces/a%2F1").await;
    let observations = whole["observations"].take();
    let scores = whole["scores"].take();
    for (field, value) in expected.as_object().unwrap() {
        if !["observations", "scores"].contains(&field.as_str()) {
            assert_eq!(&whole[field], value, "{field}");
        }
    }
    assert_eq!(observations.as_array().unwrap().len(), 1);
    let call = &observations[0];
    assert_eq!(
        (&call["id"], &call["type"], &call["input"]),
        (&json!("call"), &json!("GENERATION"), &json!(7))
    );
    assert_eq!(
        call["usage"],
        json!({"unit": "TOKENS", "input": 7, "output": 3, "total": 10})
    );
    assert_eq!(call["costDetails"], json!({"input": 0.5, "total": 1.25}));
    assert_eq!(call["latency"], 2.0);
    assert_eq!(scores[0]["dataType"], "CATEGORICAL");
    assert_eq!(
        (&scores[0]["stringValue"], &scores[0]["value"]),
        (&json!("yes"), &json!(0.0))
    );
}

#[tokio::test]
async fn a_list_is_narrowed_ordered_and_paged() {
    let client = described().await;
    let filter = |conditions: Value| format!("filter={}", escaped(&conditions));
    let is_null = json!([{"type": "null", "column": "name", "operator": "is null", "value": ""}]);
    let tagged = json!([{"type": "arrayOptions", "column": "tags", "operator": "all of", "value": ["a", "c"]}]);
    let keyed = json!([{"type": "stringObject", "column": "metadata", "key": "a", "operator": "=", "value": "1"}]);
    let failed = json!([{"type": "number", "column": "errorCount", "operator": ">", "value": 0}]);
    let slow = json!([{"type": "number", "column": "latency", "operator": ">=", "value": 2}]);
    let since = json!([{"type": "datetime", "column": "timestamp", "operator": ">", "value": "2026-11-03T10:00:05Z"}]);
    let beats = format!(
        "userId=u1&{}",
        filter(json!([{"column": "userId", "operator": "=", "value": "u2"}]))
    );
    let narrowed: &[(&str, &[&str])] = &[
        ("name=chat", &["a2", "a/1"]),
        ("userId=u2", &["a2"]),
        ("sessionId=s1", &["a/1"]),
        ("version=v1&release=r1", &["a/1"]),
        ("tags=a", &["a2", "a/1"]),
        ("tags=a,b", &["a/1"]),
        ("tags=a&tags=c", &["a/1"]),
        ("environment=prod&environment=x", &["a/1"]),
        ("environment=default", &["a3", "a2"]),
        ("fromTimestamp=2026-11-03T10:00:05Z", &["a3", "a2"]),
        (
            "fromTimestamp=2026-11-03T10:00:05Z&toTimestamp=2026-11-03T10:00:06Z",
            &["a2"],
        ),
        ("orderBy=timestamp.asc", &["a/1", "a2", "a3"]),
        ("orderBy=id.desc", &["a3", "a2", "a/1"]),
        ("orderBy=name.asc", &["a3", "a2", "a/1"]),
        ("orderBy=userId.desc", &["a2", "a/1", "a3"]),
        ("orderBy=public.desc&limit=1", &["a/1"]),
        ("limit=2&page=2", &["a/1"]),
        ("limit=2&page=3", &[]),
        ("limit=&page=", &["a3", "a2", "a/1"]),
        ("nonsense=1", &["a3", "a2", "a/1"]),
        (&filter(is_null), &["a3"]),
        (&filter(tagged), &["a/1"]),
        (&filter(keyed), &["a/1"]),
        (&filter(failed), &["a3"]),
        (&filter(slow), &["a/1"]),
        (&filter(since), &["a3"]),
        (&beats, &["a2"]),
    ];
    for (query, expected) in narrowed {
        let list = found(&client, &format!("/traces?{query}")).await;
        assert_eq!(all(&list, "id"), *expected, "{query}");
        let is_paged = query.contains("limit=2");
        let total = if is_paged { 3 } else { expected.len() };
        if !query.contains("limit=1") {
            assert_eq!(list["meta"]["totalItems"], total, "{query}");
        }
    }
}

#[tokio::test]
async fn groups_that_were_not_asked_for_are_not_told() {
    let client = described().await;
    let bare = found(&client, "/traces?fields=core&userId=u1").await;
    let row = &bare["data"][0];
    assert_eq!(
        (&row["observations"], &row["scores"]),
        (&json!([]), &json!([]))
    );
    assert_eq!(
        (&row["latency"], &row["totalCost"]),
        (&json!(-1.0), &json!(-1.0))
    );
    assert_eq!(row.get("input"), None);
    assert_eq!(row["name"], "chat");
    let some = found(&client, "/traces/a%2F1?fields=io,scores,nonsense").await;
    assert_eq!(
        (&some["input"], &some["observations"]),
        (&json!({"q": "Hello?"}), &json!([]))
    );
    assert_eq!(
        (&some["scores"][0]["id"], &some["latency"]),
        (&json!("good"), &json!(-1.0))
    );
}

#[tokio::test]
async fn what_cannot_be_understood_is_refused() {
    let client = shared().await.new_project();
    let unknown = json!([{"column": "nonsense", "operator": "=", "value": "x"}]);
    let not_yet = json!([{"column": "bookmarked", "operator": "=", "value": true}]);
    for query in [
        "limit=101",
        "page=0",
        "page=2001",
        "orderBy=nonsense.asc",
        "orderBy=name",
        "fromTimestamp=yesterday",
        "filter=%5B",
        "filter=%7B%7D",
        &format!("filter={}", escaped(&unknown)),
        &format!("filter={}", escaped(&not_yet)),
    ] {
        let answer = read(&client, &format!("/traces?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(answer.body["message"], "Invalid request data", "{query}");
        assert!(answer.body["error"].is_array(), "{query}");
    }
    let missing = read(&client, "/traces/nothing").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert_eq!(missing.body["error"], "LangfuseNotFoundError");
}

#[tokio::test]
async fn a_trace_of_spans_alone_is_its_root() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("agent")
        .attribute("input.value", "{\"q\": 1}")
        .attribute("langfuse.trace.tags", json!(["x"]).to_string())
        .attribute("user.id", "u");
    let child = root.child("call").attribute("gen_ai.request.model", "m");
    let orphan = SpanBuilder::root("parent")
        .child("lost")
        .attribute("langfuse.trace.name", "told");
    client
        .accept_traces(&export([&root, &child, &orphan]))
        .await;
    let whole = becomes(&client, &format!("/traces/{}", root.trace_id()), |trace| {
        trace["observations"].as_array().unwrap().len() == 2
    })
    .await;
    assert_eq!(
        (&whole["name"], &whole["userId"]),
        (&json!("agent"), &json!("u"))
    );
    assert_eq!(
        (&whole["input"], &whole["tags"]),
        (&json!({"q": 1}), &json!(["x"]))
    );
    assert_eq!(
        (&whole["latency"], &whole["public"]),
        (&json!(1.0), &json!(false))
    );
    let types = whole["observations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["type"]);
    assert_eq!(types.collect::<Vec<_>>(), ["SPAN", "GENERATION"]);
    // Its parent never comes: the trace is there all the same.
    let lost = becomes(&client, &format!("/traces/{}", orphan.trace_id()), |_| true).await;
    assert_eq!(lost["name"], "told");
    let named = found(&client, "/traces?name=told").await;
    assert_eq!(all(&named, "id"), [orphan.trace_id()]);
}

#[tokio::test]
async fn what_is_deleted_is_gone() {
    let client = described().await;
    let delete = async |path: &str, body: Option<&Value>| {
        let path = format!("/api/public{path}");
        client.langfuse(Method::DELETE, &path, body).await
    };
    assert_eq!(delete("/traces/a%2F1", None).await.status, StatusCode::OK);
    assert_eq!(
        read(&client, "/traces/a%2F1").await.status,
        StatusCode::NOT_FOUND
    );
    // Again, it is gone already.
    assert_eq!(delete("/traces/a%2F1", None).await.status, StatusCode::OK);
    let both = json!({"traceIds": ["a2", "a3", "never"]});
    assert_eq!(delete("/traces", Some(&both)).await.status, StatusCode::OK);
    assert_eq!(found(&client, "/traces").await["meta"]["totalItems"], 0);
    for wrong in [
        json!({}),
        json!({"traceIds": []}),
        json!({"traceIds": [1]}),
        json!({"traceIds": vec!["x"; 1001]}),
    ] {
        assert_eq!(
            delete("/traces", Some(&wrong)).await.status,
            StatusCode::BAD_REQUEST,
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_whole_trace_comes_compressed_to_who_takes_that() {
    let client = described().await;
    for path in ["/api/v1/traces/a%2F1", "/api/public/traces/a%2F1"] {
        let request = client.request(Method::GET, path);
        let answer = request.header("accept-encoding", "gzip").send().await;
        let answer = answer.unwrap();
        assert_eq!(answer.headers()["content-encoding"], "gzip", "{path}");
        let packed = answer.bytes().await.unwrap();
        let mut text = String::new();
        GzDecoder::new(&packed[..])
            .read_to_string(&mut text)
            .unwrap();
        let whole: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(whole["name"], "chat", "{path}");
    }
}
