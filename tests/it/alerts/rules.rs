//! Rules: set, changed, named where they are wrong, told to Prometheus.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::{ask, made};

const RULES: &str = "/api/v1/alert-rules";

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_is_kept_as_it_was_given_and_changed_field_by_field() {
    let client = shared().await.new_project();
    let filter = json!([{"column": "model", "operator": "any of", "value": ["m"]}]);
    let rule = json!({"name": "slow", "kind": "adaptive", "series": "token.e2e_ms",
        "params": {"window_s": 120}, "filter": filter, "for_s": 60});
    let made = made(&client, RULES, rule).await;
    assert_eq!(made["series"], "token.e2e_ms:p99");
    assert_eq!((&made["filter"], &made["axis"]), (&filter, &json!("token")));
    assert_eq!(
        (&made["severity"], &made["enabled"]),
        (&json!("P2"), &json!(true))
    );
    let params = json!({"direction": "up", "factor": null, "window_s": 120, "min_count": 1,
        "group_by": [], "keep_s": 60});
    assert_eq!(made["params"], params);
    let path = format!("{RULES}/{}", made["id"].as_str().unwrap());
    let change = json!({"for_s": 30, "params": {"factor": 3}, "severity": "P1", "enabled": false});
    let (status, changed) = ask(&client, Method::PATCH, &path, change).await;
    assert_eq!(status, StatusCode::OK, "{changed}");
    assert_eq!(
        (&changed["for_s"], &changed["name"]),
        (&json!(30), &json!("slow"))
    );
    assert_eq!(changed["params"]["factor"], 3.0);
    assert_eq!(changed["filter"], filter);
    // Another kind begins with its own parameters and series.
    let (_, other) = ask(
        &client,
        Method::PATCH,
        &path,
        json!({"kind": "p99_shift", "filter": {"model": "m"}}),
    )
    .await;
    assert_eq!(
        (&other["series"], &other["params"]["rise"]),
        (&json!("token.ttft_ms:p99"), &json!(200.0))
    );
    let listed = client.get_json(RULES).await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    assert_eq!(listed["data"][0]["name"], "slow");
    let deleted = client.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    assert_eq!(client.get_json(RULES).await["data"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_rule_is_named() {
    let client = shared().await.new_project();
    let with = |change: Value| {
        let mut rule = json!({"name": "r", "kind": "threshold", "series": "token.ttft_ms",
            "params": {"value": 1}});
        for (field, value) in change.as_object().unwrap() {
            rule[field] = value.clone();
        }
        rule
    };
    let nobody = "00000000-0000-7000-8000-000000000000";
    for (body, field) in [
        (json!({"kind": "no_data", "series": "x"}), "name"),
        (json!({"name": "r", "series": "x"}), "kind"),
        (with(json!({"kind": "guess"})), "kind"),
        (with(json!({"name": "a\u{0}"})), "name"),
        (with(json!({"series": null})), "series"),
        (with(json!({"series": "quality.guess"})), "series"),
        (with(json!({"params": {}})), "params.value"),
        (
            with(json!({"params": {"value": 1, "window_s": 3}})),
            "params.window_s",
        ),
        (
            with(json!({"params": {"value": 1, "group_by": ["colour"]}})),
            "params.group_by",
        ),
        (with(json!({"filter": {"colour": "red"}})), "filter.colour"),
        (
            with(json!({"filter": {"has_error": "maybe"}})),
            "filter.has_error",
        ),
        (
            with(json!({"series": "gpu.sm_active", "filter": {"model": "m"}})),
            "filter",
        ),
        (with(json!({"for_s": 100_000})), "for_s"),
        (with(json!({"severity": "P9"})), "severity"),
        (with(json!({"channels": [nobody]})), "channels"),
        (with(json!({"channels": ["x"]})), "channels"),
        (with(json!({"slip": 1})), "slip"),
    ] {
        let (status, problem) = ask(&client, Method::POST, RULES, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
        assert_eq!(problem["errors"][0]["path"], field, "{problem}");
    }
    made(&client, RULES, with(json!({}))).await;
    let (status, _) = ask(&client, Method::POST, RULES, with(json!({}))).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (status, problem) = ask(
        &client,
        Method::PUT,
        "/api/v1/alert-settings",
        json!({"zone": "Nowhere"}),
    )
    .await;
    assert_eq!(
        (status, &problem["errors"][0]["path"]),
        (StatusCode::BAD_REQUEST, &json!("zone"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_reads_the_rules() {
    let client = shared().await.new_project();
    let rule = json!({"name": "hot: \"very\"", "kind": "threshold", "series": "gpu.temperature_c:max",
        "params": {"value": 90}, "for_s": 120, "severity": "P1"});
    made(&client, RULES, rule).await;
    made(
        &client,
        RULES,
        json!({"name": "dear", "kind": "cost_spike"}),
    )
    .await;
    let answer = client.get(&format!("{RULES}/prometheus")).await;
    assert_eq!(answer.headers()["content-type"], "application/yaml");
    let text = answer.text().await.unwrap();
    assert!(text.contains("# \"dear\": "), "{text}");
    let file: serde_json::Value = serde_norway::from_str(&text).unwrap();
    let rule = &file["groups"][0]["rules"][0];
    assert_eq!(rule["alert"], "hot: \"very\"");
    assert_eq!(
        rule["expr"],
        "max(max_over_time(DCGM_FI_DEV_GPU_TEMP[60s])) > 90"
    );
    assert_eq!(
        (&rule["for"], &rule["labels"]["severity"]),
        (&json!("120s"), &json!("P1"))
    );
}
