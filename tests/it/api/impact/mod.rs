//! Semantic events, business events, and what the ones do to the others.

/// Business events.
mod business;
/// Semantic events.
mod semantic;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually, shared};

const SECOND: u64 = 1_000_000_000;

fn ago(seconds: u64) -> u64 {
    now_nanos() - seconds * SECOND
}

fn time(nanos: u64) -> String {
    let at = domain::Timestamp::from_unix_nanos(nanos).unwrap();
    at.to_string()
}

fn at(span: SpanBuilder, start: u64) -> SpanBuilder {
    span.field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + SECOND).to_string())
}

/// A call of a model that answers with a text, in a session.
fn call(answer: &str) -> SpanBuilder {
    SpanBuilder::root("answer")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "m")
        .attribute(
            "gen_ai.input.messages",
            json!([
                {"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"},
                {"role": "user", "content": "Where is it?"},
            ])
            .to_string(),
        )
        .attribute(
            "gen_ai.output.messages",
            json!([{"role": "assistant", "content": answer}]).to_string(),
        )
}

async fn post(client: &ProjectClient, events: &Value) -> (StatusCode, Value) {
    let request = client.request(Method::POST, "/api/v1/business-events");
    let answer = request.body(events.to_string()).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

/// Semantic events once there are so many.
async fn events(client: &ProjectClient, query: &str, count: usize) -> Vec<Value> {
    eventually("the semantic events", async || {
        let path = format!("/api/v1/semantic-events{query}");
        let found = client.get_json(&path).await;
        let all = found["data"].as_array().unwrap().clone();
        if all.len() == count {
            Ok(all)
        } else {
            Err(found)
        }
    })
    .await
}

/// A whole list, page by page.
async fn pages(client: &ProjectClient, path: &str, limit: u32) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let query = [("limit", limit.to_string()), ("cursor", cursor)];
        let request = client.request(Method::GET, path).query(&query);
        let page: Value = request.send().await.unwrap().json().await.unwrap();
        all.extend(page["data"].as_array().unwrap().clone());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => return all,
        }
    }
}

fn field<'v>(events: &'v [Value], name: &str) -> Vec<&'v str> {
    events
        .iter()
        .map(|event| event[name].as_str().unwrap_or("–"))
        .collect()
}

/// Conversations of which each fourth was refused. Half of the refused have a ticket soon after, of the others one in
/// twenty; all are in one of two groups.
pub(crate) async fn with_tickets(client: &ProjectClient) -> Vec<SpanBuilder> {
    let start = ago(3_600);
    let spans: Vec<SpanBuilder> = (0..160_u64)
        .map(|number| {
            let answer = match number % 4 {
                0 => "I'm sorry, but I can't assist with that.",
                _ => "It is in the drawer.",
            };
            at(call(answer), start + number * 10 * SECOND)
                .attribute("session.id", format!("s-{number}"))
                .attribute("user.id", format!("u-{number}"))
                .attribute("llm.app.ab_group", ["a", "b"][usize::from(number % 3 == 0)])
        })
        .collect();
    client.accept_traces(&export(&spans)).await;
    let tickets: Vec<Value> = (0..160_u64)
        .filter(|number| number % 8 == 0 || number % 20 == 1)
        .map(|number| {
            let place = usize::try_from(number).unwrap();
            json!({"id": format!("t-{number}"), "type": "ticket", "at": time(start + (number * 10 + 90) * SECOND),
                "trace_id": spans[place].trace_id()})
        })
        .collect();
    assert_eq!(post(client, &json!(tickets)).await.0, StatusCode::OK);
    eventually("the last trace", async || {
        let found = client.get_json("/api/v1/impact").await;
        let is_there = found["traces_considered"] == 160;
        if is_there { Ok(()) } else { Err(found) }
    })
    .await;
    spans
}

#[tokio::test(flavor = "multi_thread")]
async fn impact_links_what_goes_wrong_with_what_comes_of_it() {
    let client = shared().await.new_project();
    let spans = with_tickets(&client).await;
    let impact = client.get_json("/api/v1/impact").await;
    assert_eq!(
        (impact["is_sample"].as_bool(), impact["within_s"].as_f64()),
        (Some(false), Some(86_400.0))
    );
    let [link] = impact["links"].as_array().unwrap().as_slice() else {
        panic!("{impact}")
    };
    assert_eq!(
        link["cause"],
        json!({"kind": "semantic_event", "type": "refusal", "incident_id": null})
    );
    assert_eq!(
        (link["effect"].as_str(), link["unit"].as_str()),
        (Some("ticket"), Some("trace"))
    );
    assert_eq!(link["standing"], "linked");
    assert_eq!(
        link["exposed"],
        json!({"n": 40, "with_event": 20, "rate": 0.5})
    );
    assert_eq!(
        (
            link["unexposed"]["n"].as_u64(),
            link["unexposed"]["with_event"].as_u64()
        ),
        (Some(120), Some(8))
    );
    assert_eq!(
        (
            link["strata"].as_u64(),
            link["stratified_by_ab_group"].as_bool()
        ),
        (Some(2), Some(true))
    );
    let ratio = &link["risk_ratio"];
    let number = |value: &Value| value.as_f64().unwrap();
    assert!(number(&ratio["low"]) > 2.0 && number(&ratio["low"]) < number(&ratio["value"]));
    assert!(number(&link["risk_difference"]["low"]) > 0.2);
    assert!(number(&link["q_value"]) < 0.001);
    assert!(number(&link["causal_score"]) > 0.5 && number(&link["causal_score"]) < 1.0);
    // Times of business events are kept to the microsecond.
    assert!((number(&link["median_delay_s"]) - 90.0).abs() < 1e-3);
    let examples = link["examples"].as_array().unwrap();
    assert_eq!(examples[0]["trace_id"], spans[152].trace_id());
    assert_eq!(examples[0]["session_id"], "s-152");
    let counts = |side: &str| -> u64 {
        let all = &impact["timeline"][side][0]["counts"];
        all.as_array()
            .unwrap()
            .iter()
            .map(|count| count.as_u64().unwrap())
            .sum()
    };
    assert_eq!((counts("semantic"), counts("business")), (40, 28));

    // By session it is the same, each having one trace; too short a time links nothing.
    let by_user = client.get_json("/api/v1/impact?unit=user").await;
    assert_eq!(
        (
            by_user["links"][0]["unit"].as_str(),
            by_user["links"][0]["exposed"]["n"].as_u64()
        ),
        (Some("user"), Some(40))
    );
    // A ticket comes a minute and a half after its trace began: not within.
    let soon = client.get_json("/api/v1/impact?within_s=60").await;
    assert_eq!(soon["links"][0]["lacking"], "events");
    assert_eq!(soon["links"][0]["standing"], "not_enough_data");
    assert_eq!(soon["links"][0]["p_value"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn impact_of_nothing_is_empty_and_nonsense_is_named() {
    let client = shared().await.new_project();
    let quiet = client.get_json("/api/v1/impact").await;
    assert_eq!(quiet["links"], json!([]));
    for (query, field) in [
        ("within_s=5", "within_s"),
        ("within_s=x", "within_s"),
        ("unit=planet", "unit"),
        ("from=2020-01-01T00:00:00Z", "from"),
        ("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to"),
    ] {
        let refused = client.get(&format!("/api/v1/impact?{query}")).await;
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{query}");
        let problem: Value = refused.json().await.unwrap();
        assert_eq!(problem["errors"][0]["path"], field);
    }
}
