//! Calls cost what the project's models say.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{ProjectClient, eventually, shared};

use super::super::{all, escaped};
use super::{becomes, created, delete, event, found, ingest};

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

/// Calls that were priced by a model of the project, by what came with the product, and not at all.
async fn priced() -> (ProjectClient, Value) {
    let client = shared().await.new_project();
    let tier = |name: &str, priority: u32, price: f64, conditions: Value| {
        json!({
            "name": name, "priority": priority, "isDefault": priority == 0,
            "conditions": conditions, "prices": {"input": price, "output": 0.002},
        })
    };
    let long = json!([{
        "usageDetailPattern": "input", "operator": "gt", "value": 100, "caseSensitive": false,
    }]);
    let body = json!({
        "modelName": "ours", "matchPattern": "(?i)^gpt-4o-of-ours$",
        "pricingTiers": [tier("Usual", 0, 0.001, json!([])), tier("long", 1, 0.0005, long)],
    });
    let model = created(&client, &body).await;
    let short = json!({"input": 10, "output": 5, "total": 15});
    let long = json!({"input": 1000, "output": 5, "total": 1005});
    let mut built_in = call("built-in", &short, &Value::Null);
    built_in["model"] = json!("gpt-4o-mini");
    built_in["modelParameters"] = json!({});
    let create = "generation-create";
    let calls = [
        event(1, 1, create, &call("short", &short, &Value::Null)),
        event(2, 2, create, &call("long", &long, &Value::Null)),
        event(3, 3, create, &call("sent", &short, &json!({"total": 1}))),
        event(4, 4, create, &built_in),
    ];
    ingest(&client, &calls).await;
    becomes(&client, "/observations", |list| {
        list["meta"]["totalItems"] == 4
    })
    .await;
    (client, model)
}

#[tokio::test]
async fn an_observation_says_by_which_price_it_was_computed() {
    let (client, model) = priced().await;
    let told = async |id: &str| {
        let call = found(&client, &format!("/observations/{id}")).await;
        json!([
            call["modelId"],
            call["usagePricingTierId"],
            call["inputPrice"],
            call["outputPrice"],
            call["totalPrice"],
        ])
    };
    let tiers = &model["pricingTiers"];
    for (id, tier) in [("short", &tiers[0]["id"]), ("long", &tiers[1]["id"])] {
        let expected = json!([model["id"], tier, 0.001, 0.002, null]);
        assert_eq!(told(id).await, expected, "{id}");
    }
    assert_eq!(told("sent").await, json!([null, null, null, null, null]));
    let of_table = told("built-in").await;
    let listed = found(
        &client,
        &format!("/models/{}", of_table[0].as_str().unwrap()),
    )
    .await;
    assert_eq!(listed["modelName"], "gpt-4o-mini");
    assert_eq!(of_table[1], listed["pricingTiers"][0]["id"]);
    assert_eq!(of_table[2], listed["inputPrice"]);

    let second = async |fields: &str| {
        let list = found(
            &client,
            &format!("/v2/observations?name=short&fields={fields}"),
        )
        .await;
        let call = &list["data"][0];
        json!([call["modelId"], call["inputPrice"]])
    };
    assert_eq!(second("core").await, json!([null, null]));
    assert_eq!(second("model").await, json!([model["id"], "0.001"]));
    let whole = found(&client, "/traces/t").await;
    let mut calls = whole["observations"].as_array().unwrap().iter();
    let long = calls.find(|call| call["id"] == "long").unwrap();
    assert_eq!(long["modelId"], model["id"]);

    let path = model["id"].as_str().unwrap();
    delete(&client, path).await;
    assert_eq!(told("short").await, json!([null, null, null, null, null]));
}

#[tokio::test]
async fn observations_are_narrowed_to_those_that_a_model_priced() {
    let (client, model) = priced().await;
    let built_in = found(&client, "/observations/built-in").await;
    let with = async |operator: &str, id: &Value| {
        let filter = json!([
            {"type": "stringOptions", "column": "modelId", "operator": operator, "value": [id]},
        ]);
        let list = found(
            &client,
            &format!("/observations?filter={}", escaped(&filter)),
        )
        .await;
        let mut ids: Vec<String> = all(&list, "id").into_iter().map(Value::to_string).collect();
        ids.sort();
        ids.join(",")
    };
    assert_eq!(with("any of", &model["id"]).await, r#""long","short""#);
    assert_eq!(with("any of", &built_in["modelId"]).await, r#""built-in""#);
    assert_eq!(with("none of", &model["id"]).await, r#""built-in","sent""#);
    assert_eq!(with("any of", &json!("none-such")).await, "");
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
    for (version, tiers) in [("3.14.1", 2), ("4.0.0", 3)] {
        let request = client.request(Method::GET, "/api/public/models");
        let request = request
            .header("x-langfuse-sdk-name", "python")
            .header("x-langfuse-sdk-version", version);
        let listed: Value = request.send().await.unwrap().json().await.unwrap();
        assert_eq!(
            listed["data"][0]["modelName"], "ours",
            "the project's own come first"
        );
        let shown = listed["data"][0]["pricingTiers"].as_array().unwrap();
        assert_eq!(shown.len(), tiers, "{version}");
    }
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
