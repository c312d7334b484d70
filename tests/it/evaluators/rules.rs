//! Rules, samples, and what is switched off.

use domain::evaluator::is_sampled;
use domain::{EvaluatorId, TraceId};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::export;

use super::{answered, becomes, done, made, refused, root, scored, scores, server};

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_says_yes_or_no_and_skips_what_lacks_what_it_asks_about() {
    let client = server().await.new_project();
    let body = json!({"name": "polite", "enabled": true, "rule": {"check": "contains", "value": "thank you"}});
    let path = made(&client, body).await;
    let polite = answered(&client, "a", "Thank YOU!").await;
    let rude = answered(&client, "a", "What?").await;
    let silent = tests::builders::SpanBuilder::root("silent")
        .field("endTimeUnixNano", tests::builders::now_nanos().to_string());
    client.accept_traces(&export([&silent])).await;
    let (yes, no) = (scored(&client, &polite).await, scored(&client, &rude).await);
    assert_eq!(
        (&yes["dataType"], &yes["value"]),
        (&json!("BOOLEAN"), &json!(1.0))
    );
    assert_eq!((&no["name"], &no["value"]), (&json!("polite"), &json!(0.0)));
    assert_eq!(no["comment"], "the output does not have the text");
    let evaluator = becomes(&client, (&path, "all are done"), |evaluator| {
        let day = &evaluator["last_24_h"];
        day["scored"] == 2 && day["skipped"] == 1
    })
    .await;
    let day = &evaluator["last_24_h"];
    assert_eq!(
        (&day["mean"], &day["calls"], &day["cost"]),
        (&json!(0.5), &json!(0), &json!("0"))
    );
    assert!(scores(&client, silent.trace_id()).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_is_chosen_by_the_ids_of_traces() {
    let client = server().await.new_project();
    let body = json!({
        "name": "sampled", "enabled": true, "sample_rate": 0.4, "filter": "environment:of-the-sample",
        "rule": {"check": "is_json"},
    });
    let path = made(&client, body).await;
    let id: EvaluatorId = path.rsplit('/').next().unwrap().parse().unwrap();
    let roots: Vec<_> = (0..60)
        .map(|number| {
            root("in", &number.to_string())
                .attribute("deployment.environment.name", "of-the-sample")
        })
        .collect();
    client.accept_traces(&export(&roots)).await;
    answered(&client, "of another environment", "1").await;
    let expected: Vec<&str> = roots
        .iter()
        .map(|root| root.trace_id())
        .filter(|trace| is_sampled(id, &TraceId::from_text(trace).unwrap(), 0.4))
        .collect();
    assert!((5..55).contains(&expected.len()), "{}", expected.len());
    becomes(&client, (&path, "the sample"), |evaluator| {
        evaluator["last_24_h"]["scored"] == expected.len()
    })
    .await;
    // It counts what is durable; what is readable follows within a second.
    for trace in &expected {
        scored(&client, trace).await;
    }
    let all = client.get_json("/api/public/v2/scores?limit=100").await;
    assert_eq!(all["meta"]["totalItems"], expected.len(), "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ends_while_it_is_off_is_not_scored_and_its_scores_outlive_it() {
    let client = server().await.new_project();
    let path = made(
        &client,
        json!({"name": "numbers", "rule": {"check": "matches", "value": "^\\d+$"}}),
    )
    .await;
    let off = answered(&client, "a", "1").await;
    client.trace_with_spans(&off, 1).await;
    let on = done(&client, Method::PATCH, &path, json!({"enabled": true})).await;
    assert_eq!(
        (&on["enabled"], &on["rule"]["value"]),
        (&json!(true), &json!("^\\d+$"))
    );
    let trace = answered(&client, "a", "2").await;
    assert_eq!(scored(&client, &trace).await["value"], 1.0);
    assert!(scores(&client, &off).await.is_empty());
    let listed = client.get_json("/api/v1/evaluators").await;
    assert_eq!(listed["data"][0]["kind"], "rule");
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    let (status, why) = refused(
        &client,
        Method::PATCH,
        &path,
        json!({"judge": {"model": "m"}}),
    )
    .await;
    assert_eq!(
        (status, &why["errors"][0]["path"]),
        (StatusCode::BAD_REQUEST, &json!("judge")),
        "{why}"
    );
    done(&client, Method::DELETE, &path, Value::Null).await;
    let (status, _) = refused(&client, Method::GET, &path, Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(scores(&client, &trace).await.len(), 1);
}
