//! Usage in the form of Langfuse's clients: what it counts, which tier it takes, what it costs. Sent in a
//! batch of events and as a span alike.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::{becomes, created, event, found, ingest};

/// A model that costs ten times as much above 100 tokens of input, but for what is cached.
fn tiered() -> Value {
    let prices = |text: f64, output: f64| json!({"input": text, "input_cached_tokens": text / 10.0, "output": output});
    json!({
        "modelName": "tiered", "matchPattern": "^tiered$",
        "pricingTiers": [
            {"name": "Std", "isDefault": true, "priority": 0, "conditions": [], "prices": prices(1.0, 2.0)},
            {"name": "Big", "isDefault": false, "priority": 1, "prices": prices(10.0, 20.0), "conditions": [
                {"usageDetailPattern": "input", "operator": "gt", "value": 100, "caseSensitive": false},
            ]},
        ],
    })
}

fn priced(name: &str, prices: &Value) -> Value {
    json!({
        "modelName": name, "matchPattern": format!("^{name}$"), "pricingTiers": [
            {"name": "Std", "isDefault": true, "priority": 0, "conditions": [], "prices": prices},
        ],
    })
}

/// One call, sent both ways, each as a trace of its own; the observations.
async fn sent(client: &ProjectClient, model: &str, usage: &Value, costs: &Value) -> [Value; 2] {
    let span = SpanBuilder::root("call")
        .attribute("langfuse.observation.type", "generation")
        .attribute("langfuse.observation.model.name", model)
        .attribute("langfuse.observation.usage_details", usage.to_string());
    let span = match costs {
        Value::Null => span,
        costs => span.attribute("langfuse.observation.cost_details", costs.to_string()),
    };
    client.accept_traces(&export([&span])).await;
    let id = format!("event-{}", span.span_id());
    let body = json!({
        "id": id, "traceId": format!("trace-of-{id}"), "model": model, "usageDetails": usage,
        "costDetails": costs, "startTime": "2026-11-03T10:00:02Z",
    });
    ingest(client, &[event(1, 1, "generation-create", &body)]).await;
    let mut observations = [Value::Null, Value::Null];
    for (observation, id) in observations.iter_mut().zip([span.span_id(), &id]) {
        let path = format!("/observations/{id}");
        *observation = becomes(client, &path, |found| found["id"] == id).await;
        let trace = observation["traceId"].as_str().unwrap();
        // A trace without a known cost says 0.
        let trace = found(client, &format!("/traces/{trace}")).await;
        let total = observation["calculatedTotalCost"].as_f64().unwrap_or(0.0);
        assert_eq!(trace["totalCost"].as_f64(), Some(total), "{usage} {costs}");
        let path = format!(
            "/v2/observations?fields=core,usage&traceId={}",
            observation["traceId"].as_str().unwrap()
        );
        let list = found(client, &path).await;
        let row = &list["data"][0];
        assert_eq!(row["totalCost"], observation["calculatedTotalCost"]);
        assert_eq!(row["usageDetails"], observation["usageDetails"]);
    }
    observations
}

#[tokio::test]
async fn kinds_are_disjoint_with_and_without_a_total() {
    let client = shared().await.new_project();
    created(&client, &tiered()).await;
    for (usage, input, output, total, cost, tier) in [
        // 60×10 + 50×1 + 10×20
        (
            json!({"input": 60, "input_cached_tokens": 50, "output": 10}),
            110,
            10,
            120,
            850.0,
            "Big",
        ),
        (
            json!({"input": 60, "input_cached_tokens": 50, "output": 10, "total": 120}),
            110,
            10,
            120,
            850.0,
            "Big",
        ),
        (
            json!({"input": 60, "input_cache_read": 50, "output": 10}),
            110,
            10,
            120,
            850.0,
            "Big",
        ),
        (
            json!({"input": 60, "cache_read_input_tokens": 50, "output": 10}),
            110,
            10,
            120,
            850.0,
            "Big",
        ),
        // Sound has no price of its own: 60×10 + 50×10 + 10×20
        (
            json!({"input": 60, "input_audio_tokens": 50, "output": 10}),
            110,
            10,
            120,
            1300.0,
            "Big",
        ),
        // 60×1 + 10×2 + 30×2
        (
            json!({"input": 60, "output": 10, "output_reasoning_tokens": 30}),
            60,
            40,
            100,
            140.0,
            "Std",
        ),
        // The details of a provider are parts: 40×1 + 60×0.1 + 20×2
        (
            json!({
                "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
                "prompt_tokens_details": {"cached_tokens": 60},
            }),
            100,
            20,
            120,
            86.0,
            "Std",
        ),
    ] {
        for call in sent(&client, "tiered", &usage, &Value::Null).await {
            let tokens = ["promptTokens", "completionTokens", "totalTokens"].map(|key| &call[key]);
            assert_eq!(tokens, [input, output, total], "{usage}");
            assert_eq!(call["calculatedTotalCost"], cost, "{usage}");
            assert_eq!(call["usagePricingTierName"], tier, "{usage}");
        }
    }
}

#[tokio::test]
async fn kinds_of_ones_own_are_kept_and_priced() {
    let client = shared().await.new_project();
    created(
        &client,
        &priced(
            "units",
            &json!({"input": 0.001, "my_units": 0.5, "seconds": 0.25}),
        ),
    )
    .await;
    let embedding =
        json!({"modelName": "embedding", "matchPattern": "^embedding$", "totalPrice": 1});
    created(&client, &embedding).await;
    for (model, usage, details, cost) in [
        (
            "units",
            json!({"seconds": 7}),
            json!({"seconds": 7, "total": 7}),
            json!(1.75),
        ),
        (
            "units",
            json!({"a": 1.5, "b": "7", "d": 2}),
            json!({"b": 7, "d": 2, "total": 9}),
            Value::Null,
        ),
        (
            "units",
            json!({"input": 2, "foo": 3}),
            json!({"input": 2, "foo": 3, "total": 5}),
            json!(0.002),
        ),
        (
            "none-such",
            json!({"prompt_tokens": 1, "completion_tokens": 1, "extra": 5}),
            json!({"prompt_tokens": 1, "completion_tokens": 1, "extra": 5, "total": 7}),
            Value::Null,
        ),
        (
            "units",
            json!({"input": 60, "my_units": 2}),
            json!({"input": 60, "my_units": 2, "total": 62}),
            json!(1.06),
        ),
        (
            "embedding",
            json!({"total": 50}),
            json!({"total": 50}),
            json!(50.0),
        ),
        (
            "embedding",
            json!({"input": 50}),
            json!({"input": 50, "total": 50}),
            json!(50.0),
        ),
    ] {
        for call in sent(&client, model, &usage, &Value::Null).await {
            assert_eq!(call["usageDetails"], details, "{usage}");
            assert_eq!(call["calculatedTotalCost"], cost, "{usage}");
        }
    }
}

#[tokio::test]
async fn a_sent_cost_is_whole_where_its_parts_tell_and_no_other_is_computed() {
    let client = shared().await.new_project();
    created(&client, &tiered()).await;
    let usage = json!({"input": 1, "output": 1});
    for (costs, shown, total) in [
        (
            json!({"input": 1, "output": 2}),
            json!({"input": 1.0, "output": 2.0, "total": 3.0}),
            json!(3.0),
        ),
        (
            json!({"input": 1}),
            json!({"input": 1.0, "total": 1.0}),
            json!(1.0),
        ),
        (
            json!({"input": 1, "x": 2}),
            json!({"input": 1.0, "x": 2.0}),
            Value::Null,
        ),
        (
            json!({"input": 1, "x": 2, "total": 9}),
            json!({"input": 1.0, "x": 2.0, "total": 9.0}),
            json!(9.0),
        ),
        // Nothing usable was sent: 1×1 + 1×2
        (
            json!({"input": -1}),
            json!({"input": 1.0, "output": 2.0, "total": 3.0}),
            json!(3.0),
        ),
    ] {
        for call in sent(&client, "tiered", &usage, &costs).await {
            assert_eq!(call["costDetails"], shown, "{costs}");
            assert_eq!(call["calculatedTotalCost"], total, "{costs}");
        }
    }
}

#[tokio::test]
async fn counts_and_costs_beyond_belief_are_unknown() {
    let client = shared().await.new_project();
    created(&client, &tiered()).await;
    let most = 1_000_000_000_000_u64;
    for (usage, details) in [
        (
            json!({"input": 1e17, "output": 100_000_000_000_000_000_u64}),
            json!({}),
        ),
        (
            json!({"input": most, "output": most + 1}),
            json!({"input": most, "total": most}),
        ),
    ] {
        for call in sent(&client, "tiered", &usage, &Value::Null).await {
            assert_eq!(call["usageDetails"], details, "{usage}");
            // 10¹² tokens at 10 dollars are beyond it, too.
            assert_eq!(call["costDetails"], json!({}), "{usage}");
        }
    }
}
