//! Lists of observations, both versions.

use serde_json::json;

use super::{all, condition, escaped, found, judged, keyed};

#[tokio::test]
async fn both_lists_are_narrowed_by_numbers_scores_contents_and_places() {
    let client = judged().await;
    let number = |column: &str, operator: &str, value: f64| {
        condition("number", column, operator, &json!(value))
    };
    let text = |column: &str, operator: &str, value: &str| {
        condition("string", column, operator, &json!(value))
    };
    let wanted: &[(serde_json::Value, &[&str])] = &[
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
            condition("datetime", "endTime", ">", &json!("2026-11-03T10:00:04Z")),
            &["failed", "point", "step"],
        ),
        (text("statusMessage", "contains", "slow"), &["step"]),
        (text("input", "matches", "LUGGAGE where"), &["call"]),
        (text("input", "matches", "luggage lost"), &[]),
        (text("output", "contains", "größenb"), &["call"]),
        (text("input", "starts with", "Where"), &["call"]),
        (
            condition("boolean", "hasOutput", "=", &json!(true)),
            &["call"],
        ),
        (
            condition("boolean", "hasInput", "<>", &json!(true)),
            &["failed", "point", "step"],
        ),
        (
            keyed("numberObject", "scores_avg", "quality", ("<", &json!(0.5))),
            &["call"],
        ),
        (
            keyed("numberObject", "scores_avg", "quality", (">", &json!(0.5))),
            &[],
        ),
        (
            keyed(
                "numberObject",
                "trace_scores_avg",
                "quality",
                (">", &json!(0.5)),
            ),
            &["point", "call", "step"],
        ),
        (
            keyed(
                "categoryOptions",
                "score_categories",
                "tone",
                ("any of", &json!(["rude", "kind"])),
            ),
            &["failed"],
        ),
        (
            keyed(
                "categoryOptions",
                "score_categories",
                "tone",
                ("none of", &json!(["rude"])),
            ),
            &["point", "call", "step"],
        ),
        (
            keyed(
                "booleanObject",
                "score_booleans",
                "true",
                ("=", &json!(true)),
            ),
            &["call"],
        ),
        (
            keyed(
                "booleanObject",
                "score_booleans",
                "true",
                ("<>", &json!(true)),
            ),
            &[],
        ),
        (
            keyed(
                "positionInTrace",
                "positionInTrace",
                "first",
                ("=", &json!(1)),
            ),
            &["failed", "step"],
        ),
        (
            keyed(
                "positionInTrace",
                "positionInTrace",
                "last",
                ("=", &json!(1)),
            ),
            &["failed", "point"],
        ),
        (
            keyed(
                "positionInTrace",
                "positionInTrace",
                "nthFromEnd",
                ("=", &json!(2)),
            ),
            &["call"],
        ),
        (
            keyed(
                "positionInTrace",
                "positionInTrace",
                "nthFromStart",
                ("=", &json!(3)),
            ),
            &["point"],
        ),
        (
            keyed(
                "positionInTrace",
                "positionInTrace",
                "root",
                ("=", &json!(1)),
            ),
            &["failed", "point", "step"],
        ),
    ];
    for (condition, expected) in wanted {
        let filter = escaped(&json!([condition]));
        for path in ["/observations", "/v2/observations"] {
            let list = found(&client, &format!("{path}?filter={filter}")).await;
            assert_eq!(all(&list, "id"), *expected, "{path}: {condition}");
        }
    }
    let two = json!([
        number("totalCost", ">", 0.2),
        keyed("numberObject", "scores_avg", "quality", ("<", &json!(0.5))),
        text("name", "=", "answer"),
    ]);
    let list = found(&client, &format!("/observations?filter={}", escaped(&two))).await;
    assert_eq!(list["meta"]["totalItems"], 1);
}
