//! Calls cost what the project's models say.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{ProjectClient, eventually, shared};

use super::{becomes, created, event, found, ingest};

fn call(id: &str, usage: &Value, cost: &Value) -> Value {
    json!({
        "id": id, "traceId": "t", "name": id, "model": "gpt-4o-of-ours", "usageDetails": usage,
        "costDetails": cost, "startTime": "2026-11-03T10:00:02Z",
        "modelParameters": {"service_tier": "priority"},
    })
}

async fn costs(client: &ProjectClient, id: &str) -> Value {
    let path = format!("/observations/{id}");
    let call = becomes(client, &path, |call| call["id"] == id).await;
    call["costDetails"].clone()
}

#[tokio::test]
async fn a_model_prices_what_arrives_and_a_sent_cost_wins() {
    let client = shared().await.new_project();
    let body = json!({
        "modelName": "ours", "matchPattern": "(?i)^gpt-4o-of-ours$", "inputPrice": 0.001,
        "outputPrice": 0.002,
    });
    created(&client, &body).await;
    let usage = json!({"input": 1000, "output": 500, "total": 1500});
    let calls = [
        event(
            1,
            1,
            "generation-create",
            &call("computed", &usage, &Value::Null),
        ),
        event(
            2,
            2,
            "generation-create",
            &call("sent", &usage, &json!({"total": 1})),
        ),
    ];
    ingest(&client, &calls).await;
    assert_eq!(
        costs(&client, "computed").await,
        json!({"input": 1.0, "output": 1.0, "total": 2.0})
    );
    assert_eq!(costs(&client, "sent").await, json!({"total": 1.0}));
}

#[tokio::test]
async fn the_first_tier_that_holds_prices_a_call_also_one_of_the_past() {
    let client = shared().await.new_project();
    let long = json!({"input": 300, "output": 10});
    let short = json!({"input": 200, "output": 10});
    let calls = [
        event(
            1,
            1,
            "generation-create",
            &call("long", &long, &Value::Null),
        ),
        event(
            2,
            2,
            "generation-create",
            &call("short", &short, &Value::Null),
        ),
    ];
    ingest(&client, &calls).await;
    assert_eq!(costs(&client, "long").await, json!({}));
    let tier = |name: &str, priority: u32, conditions: Value, input: f64| {
        json!({
            "name": name, "isDefault": priority == 0, "priority": priority,
            "conditions": conditions, "prices": {"input": input, "output": 0.0},
        })
    };
    let above = json!([{"usageDetailPattern": "^input", "operator": "gt", "value": 200, "caseSensitive": false}]);
    let fast = json!([{"source": "model_parameters", "key": "service_tier", "operator": "in", "values": ["priority"]}]);
    let body = json!({
        "modelName": "ours", "matchPattern": "^gpt-4o-of-ours$",
        "pricingTiers": [
            tier("Standard", 0, json!([]), 0.001),
            tier("priority", 2, fast, 0.01),
            tier("long", 1, above, 0.1),
        ],
    });
    created(&client, &body).await;
    let all = json!({"from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z"});
    let asked = client
        .request(Method::POST, "/api/v1/reprice")
        .json(&all)
        .send()
        .await;
    let asked: Value = asked.unwrap().json().await.unwrap();
    let path = format!("/api/v1/reprice/{}", asked["id"].as_str().unwrap());
    eventually("everything is priced anew", async || {
        let now = client.get_json(&path).await;
        if now["state"] == "done" {
            Ok(())
        } else {
            Err(now)
        }
    })
    .await;
    let long = becomes(&client, "/observations/long", |call| {
        !call["costDetails"]["total"].is_null()
    })
    .await;
    assert_eq!(long["costDetails"]["total"], 30.0);
    assert_eq!(long["usagePricingTierName"], "long");
    let short = found(&client, "/observations/short").await;
    assert_eq!(short["costDetails"]["total"], 2.0);
    assert_eq!(short["usagePricingTierName"], "priority");
}
