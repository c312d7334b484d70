//! Models that judge.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::ProjectClient;

use super::provider::{Provider, SECRET};
use super::{answered, becomes, connected, done, made, refused, scored, scores, server};

const PROMPT: &str = "Does {{output}} answer {{input}}? {{metadata}}";

async fn judge(client: &ProjectClient, provider: &Provider, model: &str, more: Value) -> String {
    let connection = connected(client, provider).await;
    let mut body = json!({
        "name": "Helpful", "enabled": true, "score": {"name": "helpful", "min": 0, "max": 1},
        "judge": {"connection_id": connection, "model": model, "prompt": PROMPT},
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    made(client, body).await
}

async fn priced(client: &ProjectClient, model: &str) {
    let price = json!({"model": model, "prices": {"input": "0.001", "output": "0.01"}});
    done(client, Method::POST, "/api/v1/prices", price).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_scores_what_ends_and_tells_why_and_what_it_cost() {
    let client = server().await.new_project();
    let provider = Provider::start().await;
    priced(&client, "steady").await;
    let before = answered(&client, "Before?", "Yes.").await;
    client.trace_with_spans(&before, 1).await;
    let path = judge(&client, &provider, "steady", json!({})).await;
    let trace = answered(&client, "Where is Paris?", "In France.").await;
    let score = scored(&client, &trace).await;
    assert_eq!(
        (&score["value"], &score["source"]),
        (&json!(0.75), &json!("EVAL"))
    );
    assert_eq!(score["name"], "helpful");
    assert_eq!(score["comment"], "It answers most of it.");
    assert_eq!(score["observationId"], Value::Null);
    assert_eq!(score["metadata"]["evaluator"], "Helpful");
    let evaluator = becomes(&client, (&path, "the figures"), |evaluator| {
        evaluator["last_24_h"]["scored"] == 1
    })
    .await;
    let day = &evaluator["last_24_h"];
    assert_eq!((&day["calls"], &day["tokens"]), (&json!(1), &json!(1_100)));
    assert_eq!((&day["cost"], &day["mean"]), (&json!("2"), &json!(0.75)));
    assert!(day["latency_ms"].as_f64().unwrap() > 0.0);
    assert_eq!(evaluator["spent_today"], "2");
    assert_eq!(
        (&evaluator["waiting"], &day["failures"]),
        (&json!(0), &json!(0))
    );
    let asked = provider.asked("steady");
    assert_eq!(
        asked.len(),
        1,
        "what ended before it was made is none of its business: {asked:?}"
    );
    assert!(
        asked[0].starts_with("Does In France. answer Where is Paris?? {"),
        "{asked:?}"
    );
    let request = &provider.requests("steady")[0];
    let schema = &request["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["required"], json!(["reasoning", "score"]));
    assert!(scores(&client, &before).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_of_model_calls_are_scores_of_the_span() {
    let client = server().await.new_project();
    let provider = Provider::start().await;
    let more = json!({
        "looks_at": "generations", "filter": "name:call-of-model",
        "score": {"name": "tone", "data_type": "CATEGORICAL", "labels": ["good", "bad"]},
    });
    judge(&client, &provider, "labels", more).await;
    let root = super::root("in", "out");
    let call = |name: &str| {
        root.child(name)
            .attribute("langfuse.observation.type", "generation")
            .attribute("langfuse.observation.input", "in")
            .attribute("langfuse.observation.output", "Thank you.")
    };
    let (looked_at, other) = (call("call-of-model"), call("another"));
    client
        .accept_traces(&tests::builders::export([&root, &looked_at, &other]))
        .await;
    let score = scored(&client, root.trace_id()).await;
    assert_eq!(
        (&score["value"], &score["stringValue"]),
        (&json!(0.0), &json!("good"))
    );
    assert_eq!(score["observationId"], looked_at.span_id());
}

#[tokio::test(flavor = "multi_thread")]
async fn while_calls_fail_it_waits_and_tells_why_without_the_credential() {
    let client = server().await.new_project();
    let provider = Provider::start().await;
    let path = judge(&client, &provider, "failing", json!({})).await;
    let trace = answered(&client, "a", "b").await;
    let failing = becomes(&client, (&path, "a failure"), |evaluator| {
        evaluator["last_24_h"]["failures"] != 0
    })
    .await;
    let error = failing["last_error"].as_str().unwrap();
    assert!(
        error.contains("503: overloaded") && !error.contains(SECRET),
        "{error}"
    );
    assert!(failing["held_until"].is_string(), "{failing}");
    assert_eq!(
        (&failing["waiting"], &failing["last_24_h"]["scored"]),
        (&json!(1), &json!(0))
    );
    assert!(scores(&client, &trace).await.is_empty());
    // Another model, and what waits is scored.
    done(
        &client,
        Method::PATCH,
        &path,
        json!({"judge": {"model": "steady"}}),
    )
    .await;
    assert_eq!(scored(&client, &trace).await["value"], 0.75);
    let works = becomes(&client, (&path, "it works"), |evaluator| {
        evaluator["last_24_h"]["scored"] == 1
    })
    .await;
    assert_eq!(
        (&works["last_error"], &works["held_until"]),
        (&json!(""), &Value::Null)
    );
    assert!(!works.to_string().contains(SECRET));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_no_judgement_is_a_failure_and_no_score() {
    let client = server().await.new_project();
    let provider = Provider::start().await;
    priced(&client, "malformed").await;
    let path = judge(&client, &provider, "malformed", json!({})).await;
    let trace = answered(&client, "a", "b").await;
    let failed = becomes(&client, (&path, "a failure"), |evaluator| {
        evaluator["last_24_h"]["failures"] == 1
    })
    .await;
    assert_eq!(
        (&failed["waiting"], &failed["last_24_h"]["cost"]),
        (&json!(0), &json!("2"))
    );
    assert!(scores(&client, &trace).await.is_empty());
    assert_eq!(provider.asked("malformed").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_may_cost_in_a_day_is_kept_and_without_a_price_it_waits() {
    let client = server().await.new_project();
    let provider = Provider::start().await;
    priced(&client, "steady").await;
    let bound = json!({"max_cost_per_day": "1.5"});
    let path = judge(&client, &provider, "steady", bound).await;
    let first = answered(&client, "a", "b").await;
    scored(&client, &first).await;
    becomes(&client, (&path, "it is spent"), |evaluator| {
        evaluator["spent_today"] == "2"
    })
    .await;
    answered(&client, "c", "d").await;
    let waits = becomes(&client, (&path, "one that waits"), |evaluator| {
        evaluator["waiting"] == 1
    });
    assert_eq!(waits.await["last_24_h"]["scored"], 1);
    assert_eq!(provider.asked("steady").len(), 1);
    // More may be spent, but of this model nobody knows the price.
    let change = json!({"max_cost_per_day": "100", "judge": {"model": "of unknown price"}});
    done(&client, Method::PATCH, &path, change).await;
    let held = becomes(&client, (&path, "it is held"), |evaluator| {
        evaluator["last_24_h"]["scored"] == 2
    })
    .await;
    let error = held["last_error"].as_str().unwrap();
    assert!(
        error.contains("no price") && held["held_until"].is_string(),
        "{held}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_is_refused_by_its_field() {
    let client = server().await.new_project();
    let provider = Provider::start().await;
    let connection = connected(&client, &provider).await;
    let nobody = "0197f2c8-0000-7000-8000-000000000001";
    let judge = |connection: &str, prompt: &str| {
        let judge = json!({"connection_id": connection, "model": "m", "prompt": prompt});
        json!({"name": "j", "judge": judge})
    };
    for (body, field) in [
        (json!({"name": "j"}), "judge"),
        (judge(nobody, "{{output}}"), "judge.connection_id"),
        (judge(&connection, "{{answer}}"), "judge.prompt"),
        (judge(&connection, "nothing"), "judge.prompt"),
        (
            json!({"name": "r", "rule": {"check": "matches", "value": "("}}),
            "rule.value",
        ),
        (
            json!({"name": "r", "rule": {"check": "nonsense"}}),
            "rule.check",
        ),
        (
            json!({"name": "r", "rule": {"check": "is_json"}, "sample_rate": 2}),
            "sample_rate",
        ),
        (
            json!({"name": "r", "rule": {"check": "is_json"}, "filter": "(a"}),
            "filter",
        ),
        (
            json!({"name": "r", "rule": {"check": "is_json"}, "slip": 1}),
            "slip",
        ),
    ] {
        let path = "/api/v1/evaluators";
        let (status, why) = refused(&client, Method::POST, path, body.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}: {why}");
        assert!(
            why.to_string().contains(&format!("\"{field}\"")),
            "{body}: {why}"
        );
    }
    let rule = json!({"name": "r", "rule": {"check": "is_json"}});
    made(&client, rule.clone()).await;
    let (status, _) = refused(&client, Method::POST, "/api/v1/evaluators", rule).await;
    assert_eq!(status, StatusCode::CONFLICT);
}
