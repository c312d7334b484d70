//! Events of batches.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::shared;

use super::super::{becomes, event, ingest};
use super::{batch, post};

#[tokio::test]
async fn what_is_no_batch_is_refused_with_texts() {
    let client = shared().await.new_project();
    for body in [json!([]), json!({})] {
        let answer = post(&client, "/ingestion", &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert!(answer.body["message"].is_string(), "{}", answer.body);
        let errors = answer.body["errors"].as_array().unwrap();
        assert!(
            !errors.is_empty() && errors.iter().all(Value::is_string),
            "{errors:?}"
        );
    }
}

#[tokio::test]
async fn each_event_has_its_own_success_or_error_and_a_log_neither() {
    let client = shared().await.new_project();
    let log = event(1, 1, "sdk-log", &json!({"log": "x"}));
    let alone = batch(&client, std::slice::from_ref(&log)).await;
    assert_eq!(alone.status, StatusCode::MULTI_STATUS);
    assert_eq!(alone.body, json!({"successes": [], "errors": []}));
    let score = |fields: Value| {
        let mut body = json!({"name": "n", "traceId": "t"});
        let fields = fields.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(fields);
        body
    };
    let prompt = json!({"id": "g", "traceId": "t", "promptName": "p"});
    let both = score(json!({"value": 1, "sessionId": "s"}));
    let events = [
        event(2, 2, "trace-create", &json!({"id": "t"})),
        event(3, 3, "foo", &json!({"id": "t"})),
        event(
            4,
            4,
            "score-create",
            &score(json!({"value": 2, "dataType": "BOOLEAN"})),
        ),
        event(5, 5, "score-create", &both),
        event(6, 6, "generation-create", &prompt),
        log,
    ];
    let answer = batch(&client, &events).await;
    assert_eq!(answer.status, StatusCode::MULTI_STATUS);
    assert_eq!(
        answer.body["successes"],
        json!([{"id": "event-2", "status": 201}])
    );
    let errors = answer.body["errors"].as_array().unwrap();
    let told: Vec<Value> = errors
        .iter()
        .map(|error| json!([error["id"], error["status"], error["message"]]))
        .collect();
    let told_of = |id: &str| json!([id, 400, "Invalid request data"]);
    let expected = ["event-3", "event-4", "event-5", "event-6"].map(told_of);
    assert_eq!(told, expected, "{errors:?}");
}

#[tokio::test]
async fn a_trace_adds_tags_and_metadata_and_a_name_is_taken_back() {
    let client = shared().await.new_project();
    let body = |more: Value| {
        let mut body = json!({"id": "t"});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        body
    };
    let first = json!({"name": "x", "tags": ["b", "a"], "metadata": {"a": 1, "n": {"x": 1}}});
    let second = json!({"name": null, "tags": ["c", "a"], "metadata": {"b": 2}});
    ingest(&client, &[event(1, 1, "trace-create", &body(first))]).await;
    ingest(&client, &[event(2, 2, "trace-create", &body(second))]).await;
    let trace = becomes(&client, "/traces/t", |trace| {
        trace["tags"] == json!(["a", "b", "c"])
    })
    .await;
    assert_eq!(
        trace["metadata"],
        json!({"a": 1, "b": 2, "n": {"x": 1}}),
        "{trace}"
    );
    assert_eq!(trace["name"], Value::Null);
    assert_eq!(trace["externalId"], Value::Null);
    assert!(trace.as_object().unwrap().contains_key("externalId"));
}

#[tokio::test]
async fn usage_is_read_by_its_names_and_with_a_name_of_its_own_as_it_was_sent() {
    let client = shared().await.new_project();
    let known = json!({
        "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 4},
    });
    let mut unknown = known.clone();
    unknown["foo"] = json!(1);
    let call = |id: &str, usage: &Value| json!({"id": id, "traceId": "t", "startTime": "2026-11-03T10:00:03Z", "usageDetails": usage});
    let events = [
        event(1, 1, "generation-create", &call("known", &known)),
        event(2, 2, "generation-create", &call("unknown", &unknown)),
    ];
    ingest(&client, &events).await;
    let known = becomes(&client, "/observations/known", |_| true).await;
    assert_eq!(
        known["usageDetails"],
        json!({"input": 6, "input_cached_tokens": 4, "output": 5, "total": 15})
    );
    let unknown = becomes(&client, "/observations/unknown", |_| true).await;
    let expected = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15, "foo": 1, "total": 31});
    assert_eq!(unknown["usageDetails"], expected);
}

#[tokio::test]
async fn environments_are_put_right() {
    let client = shared().await.new_project();
    let (long, cut) = ("x".repeat(50), "x".repeat(40));
    let sent = [
        ("Langfuse-Prod", "prod"),
        ("a b", "default"),
        (&*long, &*cut),
    ];
    for (number, (environment, expected)) in (1..).zip(sent) {
        let id = format!("t{number}");
        let body = json!({"id": id, "environment": environment});
        ingest(&client, &[event(number, 1, "trace-create", &body)]).await;
        let trace = becomes(&client, &format!("/traces/{id}"), |_| true).await;
        assert_eq!(trace["environment"], expected, "{environment}");
    }
}

#[tokio::test]
async fn a_cost_that_is_sent_stands_alone_and_others_are_computed_with_their_total() {
    let client = shared().await.new_project();
    let call = |id: &str| {
        json!({
            "id": id, "traceId": "t", "startTime": "2026-11-03T10:00:03Z", "model": "gpt-4o",
            "usageDetails": {"input": 1000, "output": 500, "total": 1500},
        })
    };
    let mut told = call("told");
    told["costDetails"] = json!({"total": 1});
    let events = [
        event(1, 1, "generation-create", &call("computed")),
        event(2, 2, "generation-create", &told),
    ];
    ingest(&client, &events).await;
    let computed = becomes(&client, "/observations/computed", |_| true).await;
    let cost = |kind: &str| computed["costDetails"][kind].as_f64().unwrap();
    assert!(cost("input") > 0.0 && cost("output") > 0.0, "{computed}");
    let difference = cost("input") + cost("output") - cost("total");
    assert!(difference.abs() < 1e-12, "{computed}");
    let told = becomes(&client, "/observations/told", |_| true).await;
    assert_eq!(told["costDetails"], json!({"total": 1.0}));
}

#[tokio::test]
async fn a_score_that_is_a_word_is_a_category_and_the_later_of_an_id_stays() {
    let client = shared().await.new_project();
    let score =
        |id: &str, value: Value| json!({"id": id, "traceId": "t", "name": "n", "value": value});
    let events = [
        event(1, 1, "score-create", &score("word", json!("good"))),
        event(2, 2, "score-create", &score("twice", json!(1))),
    ];
    ingest(&client, &events).await;
    ingest(
        &client,
        &[event(3, 3, "score-create", &score("twice", json!(2)))],
    )
    .await;
    let word = becomes(&client, "/v2/scores/word", |_| true).await;
    assert_eq!(word["dataType"], "CATEGORICAL");
    assert_eq!(
        (&word["stringValue"], &word["value"]),
        (&json!("good"), &json!(0.0))
    );
    becomes(&client, "/v2/scores/twice", |score| score["value"] == 2.0).await;
    let list = becomes(&client, "/v2/scores", |_| true).await;
    assert_eq!(list["meta"]["totalItems"], 2, "{list}");
}

#[tokio::test]
async fn an_end_that_is_told_apart_is_the_end_of_its_span() {
    let client = shared().await.new_project();
    let begun =
        json!({"id": "s", "traceId": "t", "name": "step", "startTime": "2026-11-03T10:00:01Z"});
    let ended = json!({"id": "s", "traceId": "t", "endTime": "2026-11-03T10:00:03Z"});
    ingest(&client, &[event(1, 1, "span-create", &begun)]).await;
    ingest(&client, &[event(2, 3, "span-update", &ended)]).await;
    let span = becomes(&client, "/observations/s", |span| {
        !span["endTime"].is_null()
    })
    .await;
    assert_eq!(
        (&span["type"], &span["name"], &span["endTime"]),
        (
            &json!("SPAN"),
            &json!("step"),
            &json!("2026-11-03T10:00:03.000Z")
        )
    );
    let all = becomes(&client, "/observations", |_| true).await;
    assert_eq!(all["meta"]["totalItems"], 1, "{all}");
}
