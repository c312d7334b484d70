//! Rules by which requests find their instance: set, refused, in force.

use reqwest::{Method, Response};
use serde_json::{Value, json};
use tests::builders::export;
use tests::{ProjectClient, eventually};

use super::{Fleet, ONE};

async fn set(client: &ProjectClient, rules: &Value) -> Response {
    let request = client.request(Method::PUT, "/api/v1/topology");
    request.body(rules.to_string()).send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_of_a_project_hold_at_once_and_for_the_past() {
    let fleet = Fleet::new().await;
    fleet.is_readable().await;
    let call = fleet.call(0).attribute("server.address", ONE.1);
    fleet.client.accept_traces(&export([&call])).await;
    let rows = fleet.requests("", 1).await;
    assert_eq!(rows[0]["instance_rule"], "host");
    let usual = fleet.client.get_json("/api/v1/topology").await;
    assert_eq!(usual["is_default"], true);
    let rules = json!({
        "instances": [{"name": "by_pod", "keys": ["server.address"], "labels": ["pod"]}],
        "gpus": [{"name": "none", "instance_labels": ["nothing"], "gpu_labels": ["UUID"]}],
    });
    let answer = set(&fleet.client, &rules).await;
    assert_eq!(answer.status(), 200);
    let shown = fleet.client.get_json("/api/v1/topology").await;
    assert_eq!(
        (&shown["is_default"], &shown["instances"][0]["from"]),
        (&json!(false), &json!("request"))
    );
    let row = eventually("the new rule", async || {
        let row = fleet.requests("", 1).await.remove(0);
        if row["instance_rule"] == "by_pod" {
            Ok(row)
        } else {
            Err(row)
        }
    });
    assert_eq!(row.await["gpus"], json!([]));
    // What is shown may be sent back, and nothing brings back the usual rules.
    assert_eq!(set(&fleet.client, &shown).await.status(), 200);
    assert_eq!(set(&fleet.client, &json!({})).await.status(), 200);
    assert_eq!(fleet.client.get_json("/api/v1/topology").await, usual);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_rule_is_refused_by_its_place() {
    let fleet = Fleet::new().await;
    let gpus = json!([]);
    let rule = |rule: Value| json!({"instances": [rule], "gpus": gpus});
    let many: Vec<Value> = (0..31)
        .map(|at| json!({"name": at.to_string(), "same_model": true}))
        .collect();
    for (rules, field) in [
        (json!({"instances": []}), "gpus"),
        (json!({"gpus": []}), "instances"),
        (json!({"instances": {}, "gpus": []}), "instances"),
        (json!({"instances": [], "gpus": [], "others": []}), "others"),
        (rule(json!({"name": ""})), "instances[0].name"),
        (
            rule(json!({"name": "a\u{0}", "same_model": true})),
            "instances[0].name",
        ),
        (
            rule(json!({"name": "a", "keys": ["k"]})),
            "instances[0].labels",
        ),
        (rule(json!({"name": "a"})), "instances[0].keys"),
        (rule(json!({"name": "a", "from": "nobody"})), "instances[0]"),
        (rule(json!({"name": "a", "slip": 1})), "instances[0]"),
        (json!({"instances": many, "gpus": []}), "instances"),
        (
            json!({"instances": [], "gpus": [{"name": "a", "instance_labels": [], "gpu_labels": ["b"]}]}),
            "gpus[0].instance_labels",
        ),
    ] {
        let answer = set(&fleet.client, &rules).await;
        assert_eq!(answer.status(), 400, "{rules}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["errors"][0]["path"], field, "{rules}: {problem}");
    }
    assert_eq!(
        fleet.client.get_json("/api/v1/topology").await["is_default"],
        true
    );
}
