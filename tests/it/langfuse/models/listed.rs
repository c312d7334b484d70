//! Made, read, listed and deleted.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::shared;

use super::{create, created, delete, found, read};

fn tier(name: &str, is_default: bool, priority: u32, conditions: &Value) -> Value {
    json!({
        "name": name, "isDefault": is_default, "priority": priority, "conditions": conditions,
        "prices": {"input": 1e-6, "output": 2e-6},
    })
}

#[tokio::test]
async fn a_model_is_read_as_it_was_made_and_stands_before_the_built_in_ones() {
    let client = shared().await.new_project();
    let body = json!({
        "modelName": "mine", "matchPattern": "(?i)^mine$", "unit": "TOKENS",
        "inputPrice": 0.0000015, "outputPrice": 2e-7, "startDate": "2026-01-01T00:00:00Z",
        "tokenizerId": "openai", "tokenizerConfig": {"tokensPerName": 1},
    });
    let mut mine = created(&client, &body).await;
    let id = mine["id"].as_str().unwrap().to_owned();
    let path = format!("/models/{id}");
    assert_eq!(found(&client, &path).await, mine);
    let list = found(&client, "/models?limit=2").await;
    assert_eq!(list["data"][0], mine);
    assert_eq!(list["data"][1]["isLangfuseManaged"], true);
    assert!(list["meta"]["totalItems"].as_u64().unwrap() > 1_000);
    let built_in = list["data"][1]["id"].as_str().unwrap();
    let shown = found(&client, &format!("/models/{built_in}")).await;
    assert_eq!(shown, list["data"][1]);
    assert_eq!(
        delete(&client, built_in).await.status,
        StatusCode::NOT_FOUND
    );
    mine["createdAt"].take();
    assert_eq!(
        mine,
        json!({
            "id": id, "modelName": "mine", "matchPattern": "(?i)^mine$",
            "startDate": "2026-01-01T00:00:00.000Z", "unit": "TOKENS", "inputPrice": 0.0000015,
            "outputPrice": 2e-7, "totalPrice": null, "tokenizerId": "openai",
            "tokenizerConfig": {"tokensPerName": 1}, "isLangfuseManaged": false, "createdAt": null,
            "prices": {"input": {"price": 0.0000015}, "output": {"price": 2e-7}},
            "pricingTiers": [{"id": format!("{id}-0"), "name": "Standard", "isDefault": true,
                "priority": 0, "conditions": [], "prices": {"input": 0.0000015, "output": 2e-7}}],
        })
    );
    // The same price, as the project's own interface has it.
    let prices = client.get_json("/api/v1/prices").await;
    assert_eq!(prices["data"][0]["id"], id.as_str());
    assert_eq!(prices["data"][0]["model"], "(?i)^mine$");
    let gone = delete(&client, &id).await;
    assert_eq!(gone.status, StatusCode::OK);
    assert!(gone.body["message"].is_string());
    assert_eq!(read(&client, &path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(delete(&client, &id).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_does_not_go_together_is_refused() {
    let client = shared().await.new_project();
    let long = json!([{"usageDetailPattern": "input", "operator": "gt", "value": 1000.0, "caseSensitive": false}]);
    let tiers =
        |tiers: Vec<Value>| json!({"modelName": "m", "matchPattern": "^m$", "pricingTiers": tiers});
    let usual = tier("Standard", true, 0, &json!([]));
    let right = tiers(vec![usual.clone(), tier("long", false, 1, &long)]);
    let made = created(&client, &right).await;
    assert_eq!(made["pricingTiers"][1]["conditions"], long);
    let mut few = tier("long", false, 1, &long);
    few["prices"] = json!({"input": 1e-6});
    let unsafe_one = json!([{"usageDetailPattern": "(a", "operator": "gt", "value": 1}]);
    for wrong in [
        // The name is taken.
        json!({"modelName": "m", "matchPattern": "^m$", "inputPrice": 1}),
        json!({"modelName": "n", "matchPattern": "(", "inputPrice": 1}),
        json!({"modelName": "n", "matchPattern": "a(?=b)", "inputPrice": 1}),
        json!({"modelName": "n", "matchPattern": "^n$"}),
        json!({"modelName": "n", "matchPattern": "^n$", "inputPrice": 1, "totalPrice": 1}),
        json!({"modelName": "n", "matchPattern": "^n$", "inputPrice": -1}),
        json!({"modelName": "n\u{0}", "matchPattern": "^n$", "inputPrice": 1}),
        json!({"modelName": "n", "matchPattern": "^n\u{0}$", "inputPrice": 1}),
        tiers(vec![tier("long", false, 1, &long)]),
        tiers(vec![usual.clone(), tier("long", false, 1, &json!([]))]),
        tiers(vec![
            usual.clone(),
            tier("a", false, 1, &long),
            tier("a", false, 2, &long),
        ]),
        tiers(vec![
            usual.clone(),
            tier("a", false, 1, &long),
            tier("b", false, 1, &long),
        ]),
        tiers(vec![usual.clone(), few]),
        tiers(vec![usual, tier("a", false, 1, &unsafe_one)]),
    ] {
        let mut wrong = wrong;
        if wrong["pricingTiers"].is_array() {
            wrong["modelName"] = json!("n");
        }
        let answer = create(&client, &wrong).await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{wrong}: {}",
            answer.body
        );
    }
}

#[tokio::test]
async fn of_several_who_list_a_name_at_once_one_does_and_the_others_are_told_that_it_is_taken() {
    let client = shared().await.new_project();
    let body = json!({"modelName": "raced", "matchPattern": "^raced$", "inputPrice": 1});
    let mut asked = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let (client, body) = (client.clone(), body.clone());
        asked.spawn(async move { create(&client, &body).await });
    }
    let answers = asked.join_all().await;
    let (made, refused): (Vec<_>, Vec<_>) = answers
        .into_iter()
        .partition(|answer| answer.status == StatusCode::OK);
    assert_eq!(made.len(), 1);
    for answer in refused {
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
        assert!(
            answer.body.to_string().contains("already"),
            "{}",
            answer.body
        );
    }
}
