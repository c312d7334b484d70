//! The grammar of `q` over the API (cases C052, C053).

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually, shared};

async fn names(client: &ProjectClient, search: &str) -> Vec<String> {
    let request = client.request(Method::GET, "/api/v1/traces");
    let answer = request.query(&[("q", search)]).send().await.unwrap();
    let status = answer.status();
    let page: Value = answer.json().await.unwrap();
    assert_eq!(status, StatusCode::OK, "{search}: {page}");
    let rows = page["data"].as_array().unwrap().iter();
    let mut names: Vec<String> = rows
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

async fn stored(client: &ProjectClient, spans: &[SpanBuilder]) {
    client.accept_traces(&export(spans)).await;
    eventually("all are listed", async || {
        let listed = client.get_json("/api/v1/traces?limit=100").await;
        let count = listed["data"].as_array().unwrap().len();
        if count == spans.len() {
            Ok(())
        } else {
            Err(count)
        }
    })
    .await;
}

#[tokio::test]
async fn signs_of_other_languages_are_text() {
    let client = shared().await.new_project();
    let all = [
        "100%",
        "100x",
        "a_b",
        "axb",
        r"c:\temp",
        "it's",
        "\"q\"",
        "{x}",
        "x; DROP",
        "'a' OR 1=1",
    ];
    let spans: Vec<SpanBuilder> = all.iter().map(|name| SpanBuilder::root(name)).collect();
    stored(&client, &spans).await;
    for name in all {
        assert_eq!(names(&client, name).await, [name], "{name}");
    }
    assert_eq!(names(&client, "\"x; DROP\"").await, ["x; DROP"]);
}

#[tokio::test]
async fn terms_hold_for_traces_as_wholes() {
    let client = shared().await.new_project();
    let call = |parent: &SpanBuilder, tokens: u32, millis: u64| {
        let start: u64 = parent.json()["startTimeUnixNano"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        parent
            .child("call")
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.request.model", "gpt-5-mini")
            .attribute("gen_ai.usage.input_tokens", tokens)
            .attribute("gen_ai.usage.output_tokens", 0)
            .field("endTimeUnixNano", (start + millis * 1_000_000).to_string())
            .field("startTimeUnixNano", start.to_string())
    };
    let tags = serde_json::json!({"arrayValue": {"values": [{"stringValue": "odd"}]}});
    let [two, one, none] = ["two calls", "one call", "none"].map(SpanBuilder::root);
    let spans = [
        call(&two, 60, 3000),
        call(&two, 60, 100),
        call(&one, 80, 100),
    ];
    client.accept_traces(&export(&spans)).await;
    stored(
        &client,
        &[
            two.clone(),
            one.clone(),
            none.attribute("langfuse.trace.tags", tags),
        ],
    )
    .await;
    client.trace_with_spans(two.trace_id(), 3).await;
    client.trace_with_spans(one.trace_id(), 2).await;
    // Neither call has so many tokens: the trace has.
    assert_eq!(names(&client, "tokens>100").await, ["two calls"]);
    assert_eq!(names(&client, "tokens<=100").await, ["one call"]);
    assert_eq!(names(&client, "NOT tokens>100").await, ["none", "one call"]);
    assert_eq!(names(&client, "latency>2s").await, ["two calls"]);
    assert_eq!(
        names(&client, "model:gpt-* NOT name:two").await,
        ["one call"]
    );
    assert_eq!(
        names(&client, "tag:odd OR latency>2s").await,
        ["none", "two calls"]
    );
    // What has nothing is not equal, either.
    assert_eq!(names(&client, "tag!=odd").await, ["one call", "two calls"]);
    let wrong = client.request(Method::GET, "/api/v1/traces");
    let wrong = wrong.query(&[("q", "a (b")]).send().await.unwrap();
    assert_eq!(wrong.status(), StatusCode::BAD_REQUEST);
    let said: Value = wrong.json().await.unwrap();
    assert!(said.to_string().contains("at character 3"), "{said}");
}

#[tokio::test]
async fn a_filter_has_a_bounded_number_of_conditions() {
    let client = shared().await.new_project();
    let tags = |many: usize| -> Vec<String> { (0..many).map(|at| format!("tag={at}")).collect() };
    for path in ["/api/v1/traces", "/api/v1/spans"] {
        for (many, wanted) in [(50, StatusCode::OK), (51, StatusCode::BAD_REQUEST)] {
            let path = format!("{path}?{}", tags(many).join("&"));
            let answer = client.request(Method::GET, &path).send().await.unwrap();
            assert_eq!(answer.status(), wanted, "{path}");
        }
    }
}

#[tokio::test]
async fn no_id_breaks_the_pages_of_its_list() {
    let client = shared().await.new_project();
    let ids = ["a\0b", "c.d", "e f", "%00"];
    let spans = ids.map(|id| {
        let root = SpanBuilder::root("turn").attribute("session.id", id);
        root.attribute("user.id", id)
    });
    stored(&client, &spans).await;
    for list in ["sessions", "users"] {
        let mut seen = Vec::new();
        let mut cursor = String::new();
        loop {
            let path = format!("/api/v1/{list}");
            let mut query = vec![("limit", "1")];
            if !cursor.is_empty() {
                query.push(("cursor", &cursor));
            }
            let request = client.request(Method::GET, &path).query(&query);
            let answer = request.send().await.unwrap();
            let status = answer.status();
            let page: Value = answer.json().await.unwrap();
            assert_eq!(status, StatusCode::OK, "{list} {cursor:?}: {page}");
            seen.extend(page["data"].as_array().unwrap().iter().cloned());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(seen.len(), ids.len(), "{list}: {seen:?}");
        assert!(
            seen.iter()
                .any(|row| row.to_string().contains("a\u{fffd}b"))
        );
    }
}
