//! Rules, samples, and what is switched off.

use domain::evaluator::is_sampled;
use domain::{EvaluatorId, Timestamp, TraceId};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{export, now_nanos};

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

#[tokio::test(flavor = "multi_thread")]
async fn what_ended_before_is_scored_on_request_once_and_as_far_as_it_matches() {
    let client = server().await.new_project();
    let rule = json!({
        "name": "numbers", "filter": "\"count\"", "rule": {"check": "matches", "value": "^\\d+$"},
    });
    let path = made(&client, rule).await;
    let before = answered(&client, "count", "1").await;
    let other = answered(&client, "tell", "2").await;
    for trace in [&before, &other] {
        client.trace_with_spans(trace, 1).await;
    }
    let backfill = format!("{path}/backfill");
    let ago = |seconds: u64| {
        let millis = now_nanos() / 1_000_000 - seconds * 1_000;
        let at = Timestamp::from_unix_millis(millis.try_into().unwrap());
        at.unwrap().to_string()
    };
    let asked = json!({"from": ago(3 * 24 * 3_600), "to": ago(0)});
    let ask = async |body: &Value| refused(&client, Method::POST, &backfill, body.clone()).await;
    assert_eq!(ask(&asked).await.0, StatusCode::CONFLICT, "it is off");
    done(&client, Method::PATCH, &path, json!({"enabled": true})).await;
    for wrong in [
        json!({"from": ago(0), "to": ago(60)}),
        json!({"from": ago(400 * 24 * 3_600), "to": ago(0)}),
        json!({"from": "yesterday", "to": ago(0)}),
        json!({"to": ago(0)}),
    ] {
        let (status, why) = ask(&wrong).await;
        assert_eq!(
            (status, &why["errors"][0]["path"]),
            (StatusCode::BAD_REQUEST, &json!("from")),
            "{why}"
        );
    }
    for round in 0..2 {
        let (status, told) = ask(&asked).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{told}");
        assert!(told["backfill"]["to"].is_string(), "{told}");
        becomes(&client, (&path, "all of it was looked at"), |evaluator| {
            evaluator["backfill"].is_null() && evaluator["waiting"] == 0
        })
        .await;
        assert_eq!(scored(&client, &before).await["value"], 1.0, "{round}");
    }
    assert!(scores(&client, &other).await.is_empty());
    let did = client.get_json(&path).await;
    assert_eq!(did["last_24_h"]["scored"], 1, "nothing twice: {did}");
}
