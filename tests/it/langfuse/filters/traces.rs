//! Lists of traces: conditions are on a trace as a whole.

use reqwest::StatusCode;
use serde_json::json;

use super::super::read;
use super::{all, condition, escaped, found, judged, keyed};

#[tokio::test]
async fn traces_are_narrowed_by_their_sums_counts_and_scores() {
    let client = judged().await;
    let number = |column: &str, operator: &str, value: f64| {
        condition("number", column, operator, &json!(value))
    };
    let average =
        |column: &str, least: f64| keyed("numberObject", column, "quality", (">", &json!(least)));
    let labels = |operator: &str| {
        let test = (operator, &json!(["rude"]));
        keyed("categoryOptions", "score_categories", "tone", test)
    };
    let yes = keyed(
        "booleanObject",
        "score_booleans",
        "true",
        ("=", &json!(true)),
    );
    let wanted: &[(serde_json::Value, &[&str])] = &[
        (number("inputTokens", "=", 10.0), &["a"]),
        (number("outputTokens", ">", 20.0), &[]),
        (number("totalTokens", ">=", 30.0), &["a"]),
        (number("inputCost", "<", 0.2), &["a"]),
        (number("outputCost", "=", 0.2), &["a"]),
        (number("totalCost", "=", 0.3), &["a"]),
        (number("errorCount", ">=", 1.0), &["b"]),
        (number("errorCount", "=", 0.0), &["a"]),
        (number("warningCount", "=", 1.0), &["a"]),
        (number("defaultCount", "=", 1.0), &["a"]),
        (number("debugCount", "<", 1.0), &["b"]),
        (number("latency", "<=", 1.0), &["b"]),
        (number("latency", ">", 8.5), &["a"]),
        // Of all its scores: 0.4 and 0.8.
        (average("scores_avg", 0.55), &["a"]),
        (average("scores", 0.65), &[]),
        (labels("any of"), &["b"]),
        (labels("none of"), &["a"]),
        (yes, &["a"]),
    ];
    for (condition, expected) in wanted {
        let filter = escaped(&json!([condition]));
        let list = found(&client, &format!("/traces?filter={filter}")).await;
        assert_eq!(all(&list, "id"), *expected, "{condition}");
        assert_eq!(list["meta"]["totalItems"], expected.len(), "{condition}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let client = judged().await;
    for wrong in [
        condition("number", "totalCost", ">", &json!("much")),
        condition("number", "totalCost", "contains", &json!(1)),
        condition("numberObject", "scores_avg", ">", &json!(1)),
        condition("boolean", "bookmarked", "=", &json!(true)),
    ] {
        let filter = escaped(&json!([wrong]));
        let answer = read(&client, &format!("/traces?filter={filter}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}
