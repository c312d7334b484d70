//! Rules over scores: the mean of numbers, the share of yes.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::now_nanos;
use tests::{eventually, shared};

use super::unknown::said;
use super::{ask, made};

#[tokio::test(flavor = "multi_thread")]
async fn scores_are_series_of_rules_by_their_name() {
    let client = shared().await.new_project();
    let scores = [
        ("helpful", "BOOLEAN", 1.0),
        ("helpful", "BOOLEAN", 0.0),
        ("helpful", "BOOLEAN", 0.0),
        ("helpful", "BOOLEAN", 0.0),
        ("tone: warm", "NUMERIC", 0.4),
        ("tone: warm", "NUMERIC", 0.8),
    ];
    for (at, (name, data_type, value)) in scores.iter().enumerate() {
        let score = json!({"id": format!("score-{at}"), "traceId": format!("{:032x}", at + 1),
            "name": name, "value": value, "dataType": data_type});
        let (status, sent) = ask(&client, Method::POST, "/api/public/scores", score).await;
        assert!(status.is_success(), "{sent}");
    }
    let rule = |name: &str, series: &str| {
        json!({"name": name, "kind": "threshold", "series": series, "enabled": false,
            "params": {"value": 0.5, "direction": "down", "window_s": 600}})
    };
    for (series, value, state) in [
        ("score.helpful:rate", 0.25, "firing"),
        ("score.helpful:count", 4.0, "ok"),
        ("score.tone: warm", 0.6, "ok"),
        ("score.tone: warm:min", 0.4, "firing"),
    ] {
        let kept = made(&client, "/api/v1/alert-rules", rule(series, series)).await;
        eventually(series, async || {
            let said = said(&client, &kept, now_nanos()).await;
            let found = &said["groups"][0]["value"];
            let is_near = |found: f64| (found - value).abs() < 1e-6;
            if found.as_f64().is_some_and(is_near) && said["state"] == state {
                Ok(())
            } else {
                Err(said)
            }
        })
        .await;
    }
    // Of a name that no score has nothing is known.
    let none = made(&client, "/api/v1/alert-rules", rule("none", "score.none")).await;
    let said = said(&client, &none, now_nanos()).await;
    assert_eq!(said["groups"][0]["value"], Value::Null, "{said}");

    let mut grouped = rule("grouped", "score.helpful:rate");
    grouped["params"]["group_by"] = json!(["tenant"]);
    let mut filtered = rule("filtered", "score.helpful:rate");
    filtered["filter"] = json!({"model": "m"});
    for (wrong, field) in [(grouped, "params.group_by"), (filtered, "filter")] {
        let (status, problem) = ask(&client, Method::POST, "/api/v1/alert-rules", wrong).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
        assert_eq!(problem["errors"][0]["path"], field, "{problem}");
    }
}
