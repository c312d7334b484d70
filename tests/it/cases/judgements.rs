//! Judgements: what queues count, and scores that are nothing.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::langfuse::Answer;
use tests::{ProjectClient, eventually, shared};

async fn ask(client: &ProjectClient, method: Method, path: &str, body: Option<&Value>) -> Answer {
    let path = format!("/api/public{path}");
    client.langfuse(method, &path, body).await
}

async fn done(client: &ProjectClient, method: Method, path: &str, body: &Value) -> Value {
    let answer = ask(client, method, path, Some(body)).await;
    assert_eq!(
        answer.status,
        StatusCode::OK,
        "{path} {body}: {}",
        answer.body
    );
    answer.body
}

/// C068: progress of a queue is true, by the API.
#[tokio::test]
async fn a_queue_counts_what_people_did() {
    let client = shared().await.new_project();
    let config = json!({"name": "quality", "dataType": "NUMERIC"});
    let config = done(&client, Method::POST, "/score-configs", &config).await;
    let queue = json!({"name": "q", "scoreConfigIds": [config["id"]]});
    let queue = done(&client, Method::POST, "/annotation-queues", &queue).await;
    let items = format!("/annotation-queues/{}/items", queue["id"].as_str().unwrap());
    let roots: Vec<SpanBuilder> = (0..5).map(|_| SpanBuilder::root("judged")).collect();
    client.accept_traces(&export(&roots)).await;
    let mut ids = Vec::new();
    for root in &roots {
        client.trace_with_spans(root.trace_id(), 1).await;
        let item = json!({"objectId": root.trace_id(), "objectType": "TRACE"});
        let item = done(&client, Method::POST, &items, &item).await;
        ids.push(item["id"].as_str().unwrap().to_owned());
    }
    // One has a score of the queue's configuration already: nobody has judged it here.
    let score = json!({
        "traceId": roots[0].trace_id(), "name": "quality", "value": 1, "configId": config["id"],
    });
    done(&client, Method::POST, "/scores", &score).await;
    let count = async |status: &str| {
        let path = format!("/api/public{items}?status={status}");
        client.get_json(&path).await["meta"]["totalItems"]
            .as_u64()
            .unwrap()
    };
    assert_eq!((count("PENDING").await, count("COMPLETED").await), (5, 0));
    let completed = format!("{items}/{}", ids[1]);
    let status = json!({"status": "COMPLETED"});
    let first = done(&client, Method::PATCH, &completed, &status).await;
    assert!(first["completedAt"].is_string());
    assert_eq!((count("PENDING").await, count("COMPLETED").await), (4, 1));
    // The item of a trace that is deleted is gone from the counts.
    let trace = format!("/traces/{}", roots[2].trace_id());
    assert!(
        ask(&client, Method::DELETE, &trace, None)
            .await
            .status
            .is_success()
    );
    assert_eq!((count("PENDING").await, count("COMPLETED").await), (3, 1));
    // What is completed can be looked at, and taken up again.
    let read = client.get_json(&format!("/api/public{completed}")).await;
    assert_eq!(read["completedAt"], first["completedAt"]);
    done(
        &client,
        Method::PATCH,
        &completed,
        &json!({"status": "PENDING"}),
    )
    .await;
    assert_eq!((count("PENDING").await, count("COMPLETED").await), (4, 0));
}

/// C069: zero, false and empty scores.
#[tokio::test]
async fn zero_is_a_score_and_nothing_is_none() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("judged");
    client.accept_traces(&export([&root])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    let score = |name: &str, kind: &str, value: Value| {
        json!({
            "traceId": root.trace_id(), "id": format!("{name} of {}", root.trace_id()), "name": name,
            "dataType": kind, "value": value,
        })
    };
    for (name, kind, value) in [
        ("zero", "NUMERIC", json!(0)),
        ("below", "NUMERIC", json!(-1)),
        ("tiny", "NUMERIC", json!(0.0001)),
        ("no", "BOOLEAN", json!(0)),
        ("digit", "CATEGORICAL", json!("0")),
    ] {
        done(&client, Method::POST, "/scores", &score(name, kind, value)).await;
    }
    let mut missing = score("missing", "NUMERIC", Value::Null);
    for wrong in [score("empty", "CATEGORICAL", json!("")), missing.clone(), {
        missing.as_object_mut().unwrap().remove("value");
        missing
    }] {
        let answer = ask(&client, Method::POST, "/scores", Some(&wrong)).await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{wrong}: {}",
            answer.body
        );
    }
    let scores = eventually("all five are read", async || {
        let scores = client.get_json("/api/public/v2/scores").await;
        match scores["meta"]["totalItems"].as_u64() {
            Some(5) => Ok(scores["data"].clone()),
            other => Err(other),
        }
    })
    .await;
    let of = |name: &str| {
        scores
            .as_array()
            .unwrap()
            .iter()
            .find(|score| score["name"] == name)
            .unwrap()
    };
    assert_eq!(of("zero")["value"], 0.0);
    assert_eq!(of("below")["value"], -1.0);
    assert_eq!(of("tiny")["value"], 0.0001);
    assert_eq!(
        (&of("no")["value"], &of("no")["stringValue"]),
        (&json!(0.0), &json!("False"))
    );
    assert_eq!(of("digit")["stringValue"], "0");

    zero_counts(&client, root.trace_id()).await;
}

/// In the trace, filters and means.
async fn zero_counts(client: &ProjectClient, trace: &str) {
    let trace = client
        .get_json(&format!("/api/public/traces/{trace}"))
        .await;
    assert_eq!(trace["scores"].as_array().unwrap().len(), 5);
    let listed = client
        .get_json("/api/public/v2/scores?operator=%3D&value=0&dataType=NUMERIC")
        .await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    assert_eq!(listed["data"][0]["name"], "zero");
    let filter = json!([{
        "type": "numberObject", "column": "scores_avg", "key": "zero", "operator": "=", "value": 0,
    }]);
    let path = format!("/api/public/traces?filter={}", encoded(&filter));
    assert_eq!(
        client.get_json(&path).await["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let day = |days: i64| {
        let now = i64::try_from(now_nanos() / 1_000_000).unwrap();
        let then = domain::Timestamp::from_unix_millis(now + days * 86_400_000);
        then.unwrap().to_string()
    };
    let query = json!({
        "view": "scores-numeric", "dimensions": [{"field": "name"}],
        "metrics": [{"measure": "value", "aggregation": "avg"}], "filters": [],
        "fromTimestamp": day(-1), "toTimestamp": day(1),
    });
    let means = client
        .get_json(&format!("/api/public/metrics?query={}", encoded(&query)))
        .await;
    let rows = means["data"].as_array().unwrap();
    let zero = rows.iter().find(|row| row["name"] == "zero").unwrap();
    assert_eq!(zero["avg_value"].as_f64(), Some(0.0), "{means}");
}

/// JSON within a query.
fn encoded(value: &Value) -> String {
    value
        .to_string()
        .bytes()
        .map(|byte| format!("%{byte:02X}"))
        .collect()
}
