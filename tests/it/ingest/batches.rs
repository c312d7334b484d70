//! Batches of older Langfuse clients: what they come to does not depend on how they came.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{ProjectClient, eventually, shared};

const PATH: &str = "/api/public/ingestion";

/// A client's whole session: creations, updates, corrections of what was said.
fn session() -> Vec<Value> {
    let event = |number: u32, second: u32, kind: &str, body: Value| {
        json!({
            "id": format!("event-{number}"),
            "timestamp": format!("2026-11-03T10:00:{second:02}.000Z"),
            "type": kind,
            "body": body,
        })
    };
    let generation = json!({
        "id": "call", "traceId": "session", "parentObservationId": "step", "name": "answer",
        "startTime": "2026-11-03T10:00:02Z", "model": "gpt-4o-mini", "input": "Hello?",
        "metadata": {"attempt": 1, "place": {"city": "Bern"}},
    });
    let ended = json!({
        "id": "call", "traceId": "session", "endTime": "2026-11-03T10:00:04Z", "output": "Hi.",
        "usageDetails": {"input": 7, "output": 3, "total": 10}, "metadata": {"place": {"zip": "3000"}},
    });
    vec![
        event(
            1,
            0,
            "trace-create",
            json!({"id": "session", "name": "chat", "userId": "u1", "tags": ["a"]}),
        ),
        event(
            2,
            1,
            "span-create",
            json!({
                "id": "step", "traceId": "session", "name": "step", "startTime": "2026-11-03T10:00:01Z",
            }),
        ),
        event(3, 2, "generation-create", generation),
        event(4, 4, "generation-update", ended),
        event(
            5,
            5,
            "span-update",
            json!({"id": "step", "endTime": "2026-11-03T10:00:05Z"}),
        ),
        event(
            6,
            6,
            "trace-create",
            json!({"id": "session", "output": "Hi.", "tags": ["b"], "public": true}),
        ),
        event(
            7,
            7,
            "generation-update",
            json!({"id": "call", "level": "WARNING", "statusMessage": "slow"}),
        ),
        event(
            8,
            8,
            "score-create",
            json!({"id": "s", "traceId": "session", "name": "good", "value": 1}),
        ),
    ]
}

async fn send(client: &ProjectClient, events: &[Value]) {
    let request = client.request(Method::POST, PATH);
    let answer = request
        .json(&json!({ "batch": events }))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 207);
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["errors"], json!([]));
    assert_eq!(answer["successes"].as_array().unwrap().len(), events.len());
}

/// The trace once it says what it must say in the end.
async fn settled(client: &ProjectClient) -> Value {
    eventually("the trace is as it must be", async || {
        let answer = client.get("/api/v1/traces/session").await;
        let trace: Value = answer.json().await.map_err(|error| error.to_string())?;
        let call = &trace["spans"][0]["children"][0]["children"][0];
        let whole = trace["output"] == "Hi."
            && trace["tags"] == json!(["a", "b"])
            && trace["latency_ms"] == 5_000.0
            && call["usage"]["output_tokens"] == 3
            && call["level"] == "WARNING"
            && call["metadata"]["place"] == json!({"city": "Bern", "zip": "3000"});
        if whole {
            Ok(trace)
        } else {
            Err(trace.to_string())
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn order_splits_and_repetition_of_batches_come_to_the_same() {
    let server = shared().await;
    let events = session();
    let client = server.new_project();
    send(&client, &events).await;
    let expected = settled(&client).await;
    assert_eq!(expected["span_count"], 2);
    assert_eq!(expected["name"], "chat");

    let mut ways: Vec<Vec<Vec<Value>>> = (1..events.len())
        .map(|at| vec![events[..at].to_vec(), events[at..].to_vec()])
        .collect();
    let one_by_one = |events: &[Value]| {
        events
            .iter()
            .map(|event| vec![event.clone()])
            .collect::<Vec<_>>()
    };
    let backwards: Vec<Value> = events.iter().rev().cloned().collect();
    ways.push(one_by_one(&backwards));
    ways.push([one_by_one(&events), vec![events.clone(), backwards]].concat());
    for way in ways {
        let client = server.new_project();
        for batch in &way {
            send(&client, batch).await;
        }
        assert_eq!(settled(&client).await, expected, "{way:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_cannot_be_used_is_told_in_the_words_of_the_interface() {
    let client = shared().await.new_project();
    let post = |body: &'static str| client.request(Method::POST, PATH).body(body).send();
    let answer = post("{\"batch\": 3}").await.unwrap();
    assert_eq!(answer.status(), 400);
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["message"], "Invalid request data");
    assert!(answer["errors"][0].is_string());

    let answer = post("{\"batch\": []}").await.unwrap();
    assert_eq!(answer.status(), 207);
    assert_eq!(
        answer.json::<Value>().await.unwrap(),
        json!({"successes": [], "errors": []})
    );

    let huge = vec![b' '; 5_000_000];
    let answer = client
        .request(Method::POST, PATH)
        .body(huge)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 413);

    let stranger = client
        .request(Method::POST, PATH)
        .basic_auth("pk-lf-nobody", Some("sk-lf-nothing"));
    let answer = stranger.json(&json!({"batch": []})).send().await.unwrap();
    assert_eq!(answer.status(), 401);
    assert_eq!(
        answer.json::<Value>().await.unwrap()["error"],
        "UnauthorizedError"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_trace_does_not_come_back_with_a_late_update() {
    let client = shared().await.new_project();
    send(&client, &session()).await;
    settled(&client).await;
    let gone = client
        .request(Method::DELETE, "/api/v1/traces/session")
        .send()
        .await
        .unwrap();
    assert!(gone.status().is_success());
    // A later change is all that is known of the observation then.
    send(&client, &session()[3..4]).await;
    let trace = eventually("the update alone is there", async || {
        let answer = client.get("/api/v1/traces/session").await;
        if !answer.status().is_success() {
            return Err(answer.status().to_string());
        }
        Ok(answer.json::<Value>().await.unwrap())
    })
    .await;
    assert_eq!(trace["spans"][0]["span_id"], "call");
    assert_eq!(trace["spans"][0]["input"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_seen_whole_or_not_at_all() {
    const SPANS: usize = 600;
    let client = shared().await.new_project();
    let at = "2026-11-03T10:00:00.000Z";
    let events: Vec<Value> = (0..SPANS)
        .map(|n| {
            let body = json!({"id": format!("s{n}"), "traceId": "whole", "startTime": at});
            json!({"id": format!("e{n}"), "timestamp": at, "type": "span-create", "body": body})
        })
        .collect();
    send(&client, &events).await;
    let seen = eventually("something of the batch is seen", async || {
        let list = client.get_json("/api/v1/traces").await;
        let count = list["data"][0]["span_count"].as_u64();
        count.ok_or("nothing")
    })
    .await;
    assert_eq!(seen, SPANS as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_stored_is_refused_and_not_acknowledged() {
    let client = shared().await.new_project();
    let at = "2026-11-03T10:00:00.000Z";
    let bodies = [
        json!({"id": "s".repeat(256), "traceId": "t"}),
        json!({"id": "control\u{1}", "traceId": "t"}),
        json!({"id": "s", "traceId": "t".repeat(300)}),
        json!({"id": "s", "traceId": "t", "parentObservationId": "p".repeat(300)}),
        json!({"id": "trace-t", "traceId": "t"}),
    ];
    let event =
        |body: &Value| json!({"id": "e", "timestamp": at, "type": "span-create", "body": body});
    let batch: Vec<Value> = bodies.iter().map(event).collect();
    let request = client.request(Method::POST, PATH);
    let answer = request
        .json(&json!({ "batch": batch }))
        .send()
        .await
        .unwrap();
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["successes"], json!([]));
    assert_eq!(answer["errors"].as_array().unwrap().len(), bodies.len());
}
