//! Lists of observations, both versions.

use serde_json::{Value, json};
use tests::ProjectClient;

use super::{all, condition, escaped, found, judged, keyed};

/// A condition, and the ids of what is left, the newest first.
type Narrowed<'a> = (Value, &'a [&'a str]);

/// Both versions leave the same.
async fn assert_narrowed(client: &ProjectClient, wanted: &[Narrowed<'_>]) {
    for (condition, expected) in wanted {
        let filter = escaped(&json!([condition]));
        for path in ["/observations", "/v2/observations"] {
            let list = found(client, &format!("{path}?filter={filter}")).await;
            assert_eq!(all(&list, "id"), *expected, "{path}: {condition}");
        }
    }
}

fn number(column: &str, operator: &str, value: f64) -> Value {
    condition("number", column, operator, &json!(value))
}

fn text(column: &str, operator: &str, value: &str) -> Value {
    condition("string", column, operator, &json!(value))
}

#[tokio::test]
async fn numbers_are_compared_in_the_units_of_this_api() {
    let client = judged().await;
    let end = json!("2026-11-03T10:00:04Z");
    let wanted: &[Narrowed<'_>] = &[
        (number("inputTokens", ">=", 10.0), &["call"]),
        (number("outputTokens", "=", 20.0), &["call"]),
        (number("totalTokens", ">", 30.0), &[]),
        (number("tokens", "<=", 30.0), &["call"]),
        (number("inputCost", "=", 0.1), &["call"]),
        (number("outputCost", ">", 0.1), &["call"]),
        (number("totalCost", "<", 0.31), &["call"]),
        (number("latency", "<", 2.0), &["failed", "point"]),
        (number("latency", ">=", 2.0), &["call", "step"]),
        (number("timeToFirstToken", "=", 0.5), &["call"]),
        (number("tokensPerSecond", "=", 10.0), &["call"]),
        (
            condition("datetime", "endTime", ">", &end),
            &["failed", "point", "step"],
        ),
    ];
    assert_narrowed(&client, wanted).await;
    let two = json!([
        number("totalCost", ">", 0.2),
        keyed("numberObject", "scores_avg", "quality", ("<", &json!(0.5))),
        text("name", "=", "answer"),
    ]);
    let list = found(&client, &format!("/observations?filter={}", escaped(&two))).await;
    assert_eq!(list["meta"]["totalItems"], 1);
}

#[tokio::test]
async fn contents_are_searched() {
    let client = judged().await;
    let flag = |column: &str, operator: &str| condition("boolean", column, operator, &json!(true));
    let wanted: &[Narrowed<'_>] = &[
        (text("statusMessage", "contains", "slow"), &["step"]),
        (text("input", "matches", "LUGGAGE where"), &["call"]),
        (text("input", "matches", "luggage lost"), &[]),
        (text("output", "contains", "größenb"), &["call"]),
        (text("input", "starts with", "Where"), &["call"]),
        (flag("hasOutput", "="), &["call"]),
        (flag("hasInput", "<>"), &["failed", "point", "step"]),
    ];
    assert_narrowed(&client, wanted).await;
}

#[tokio::test]
async fn scores_and_places_are_asked_for_by_their_keys() {
    let client = judged().await;
    let average = |column: &str, operator: &str| {
        keyed("numberObject", column, "quality", (operator, &json!(0.5)))
    };
    let labels = |operator: &str, labels: Value| {
        let column = "score_categories";
        keyed("categoryOptions", column, "tone", (operator, &labels))
    };
    let says = |operator: &str| {
        let test = (operator, &json!(true));
        keyed("booleanObject", "score_booleans", "true", test)
    };
    let place = |key: &str, number: u32| {
        let column = "positionInTrace";
        keyed(column, column, key, ("=", &json!(number)))
    };
    let of_a: &[&str] = &["point", "call", "step"];
    let wanted: &[Narrowed<'_>] = &[
        (average("scores_avg", "<"), &["call"]),
        (average("scores_avg", ">"), &[]),
        (average("trace_scores_avg", ">"), of_a),
        (labels("any of", json!(["rude", "kind"])), &["failed"]),
        (labels("none of", json!(["rude"])), of_a),
        (says("="), &["call"]),
        (says("<>"), &[]),
        (place("first", 1), &["failed", "step"]),
        (place("last", 1), &["failed", "point"]),
        (place("nthFromEnd", 2), &["call"]),
        (place("nthFromStart", 3), &["point"]),
        (place("root", 1), &["failed", "point", "step"]),
    ];
    assert_narrowed(&client, wanted).await;
}
