//! People in a queue and an evaluator judge the same traces: how far they agree stands on the pages of the evaluator.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::eventually_within;

use super::{config, owner, scores_of, send};
use crate::web::headers::Visitor;
use crate::web::tenancy::add_member;

#[tokio::test(flavor = "multi_thread")]
async fn how_far_an_evaluator_agrees_with_people_is_shown() {
    let (mut owner, client, project) = owner().await;
    let asked = config(&client, json!({ "name": "right", "dataType": "BOOLEAN" })).await;
    let body =
        json!({"name": "right", "enabled": true, "rule": {"check": "contains", "value": "yes"}});
    let request = client.request(Method::POST, "/api/v1/evaluators");
    let made: Value = request
        .json(&body)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let evaluator = format!("{project}/evaluators/{}", made["id"].as_str().unwrap());
    let api = format!("/api/v1/evaluators/{}", made["id"].as_str().unwrap());
    let mut traces = Vec::new();
    for output in ["yes", "yes!", "no", "never"] {
        let root = SpanBuilder::root("answering")
            .field("endTimeUnixNano", now_nanos().to_string())
            .attribute("langfuse.observation.output", output);
        client.accept_traces(&export([&root])).await;
        client.trace_with_spans(root.trace_id(), 1).await;
        traces.push(root.trace_id().to_owned());
    }
    let before = owner.read(&evaluator).await;
    assert!(before.contains("Nobody gave a trace"), "{before}");
    let form = [
        ("name", "people"),
        ("raters", "1"),
        ("reservation", "10"),
        ("config", asked.as_str()),
    ];
    let queue = send(&owner, &format!("{project}/queues/new"), &form).await;
    let (id, ids) = (queue.rsplit('/').next().unwrap(), traces.join("\n"));
    let add = [("queue", id), ("kind", "TRACE"), ("ids", ids.as_str())];
    send(&owner, &format!("{project}/queues/add"), &add).await;
    let mut at = send(&owner, &format!("{queue}/label"), &[]).await;
    // Whatever comes first: a person finds everything right.
    for _ in &traces {
        at = send(&owner, &at, &[("do", "done"), (&asked, "1")]).await;
    }
    eventually_within(Duration::from_secs(60), "both have judged", async || {
        let evaluator = client.get_json(&api).await;
        match evaluator["last_24_h"]["scored"] == 4 {
            true => Ok(()),
            false => Err(evaluator),
        }
    })
    .await;
    for trace in &traces {
        scores_of(&client, trace, |scores| scores.len() == 2).await;
    }
    let shown = owner.read(&evaluator).await;
    let (_, agreement) = shown.split_once("id=\"ev-agreement\"").unwrap();
    assert!(
        agreement.contains("<dd>4</dd>") && agreement.contains("<dd>50 %</dd>"),
        "{agreement}"
    );
    let list = owner.read(&format!("{project}/evaluators")).await;
    assert!(list.contains("50 % · κ 0.00"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_only_reads_sees_evaluators_and_sets_none() {
    let (mut owner, client, project) = owner().await;
    let body = json!({"name": "seen by viewers", "rule": {"check": "is_json"}});
    let request = client.request(Method::POST, "/api/v1/evaluators");
    let made: Value = request
        .json(&body)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let evaluator = format!("{project}/evaluators/{}", made["id"].as_str().unwrap());
    let (email, password) = add_member(&mut owner, &project, "reader").await;
    let mut viewer = Visitor::signed_in_as(&email, password).await;
    let page = viewer.read(&evaluator).await;
    assert!(
        page.contains("seen by viewers") && !page.contains("ev-switch"),
        "{page}"
    );
    let form = [
        ("_csrf", viewer.csrf.as_str()),
        ("on", "1"),
        ("kind", "rule"),
    ];
    for path in ["new", "switch", "delete", "edit"] {
        let path = match path {
            "new" => format!("{project}/evaluators/new"),
            part => format!("{evaluator}/{part}"),
        };
        let status = viewer.post(&path, &form).await.status();
        assert_eq!(status, StatusCode::FORBIDDEN, "{path}");
    }
}
