//! What two versions of a prompt differ in.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::shared;

use super::{post, support};

#[tokio::test(flavor = "multi_thread")]
async fn versions_differ_in_words_variables_configuration_and_tokens() {
    let client = shared().await.new_project();
    support(&client).await;
    let diff = client
        .get_json("/api/v1/prompts/support/diff?from=4&to=latest")
        .await;
    assert_eq!(
        (&diff["from"], &diff["to"]),
        (&json!(4), &json!(5)),
        "{diff}"
    );
    let changes = diff["changes"].as_array().unwrap();
    let lines: Vec<String> = changes
        .iter()
        .map(|change| {
            let text = |name: &str| change[name].as_str().unwrap();
            format!("{} {}", text("op"), text("path"))
        })
        .collect();
    assert_eq!(
        lines,
        [
            "replace /prompt/0/content",
            "add /variables/now",
            "replace /config/temperature"
        ]
    );
    let words = changes[0]["words"].as_array().unwrap();
    assert_eq!(words[0]["op"], "insert", "{words:?}");
    let new: String = words
        .iter()
        .filter(|word| word["op"] != "delete")
        .map(|word| word["text"].as_str().unwrap())
        .collect();
    assert_eq!(changes[0]["new"], new);
    assert_eq!(
        (&changes[2]["old"], &changes[2]["new"]),
        (&json!(0.2), &json!(0.7))
    );
    let prefix = &diff["prefix"];
    let number = |name: &str| prefix[name].as_f64().unwrap();
    assert_eq!(
        prefix["diverges_at_token"], prefix["common_tokens"],
        "{prefix}"
    );
    assert!(number("expected_reuse") < 0.1, "{prefix}");
    assert!(number("old_shared_tokens") > 100.0 && number("new_shared_tokens") < 10.0);
    assert_eq!(
        prefix["tokenizer_is_exact"], false,
        "no model is named: {prefix}"
    );

    let small = client
        .get_json("/api/v1/prompts/support/diff?from=3&to=4")
        .await;
    let reuse = small["prefix"]["expected_reuse"].as_f64().unwrap();
    assert!(reuse > 0.9, "{small}");
    let same = client
        .get_json("/api/v1/prompts/support/diff?from=4&to=4")
        .await;
    assert_eq!(same["changes"], json!([]));
    assert_eq!(same["prefix"]["diverges_at_token"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_within_prompts_count_as_a_model_reads_them() {
    let client = shared().await.new_project();
    let rules = "Never promise a date, and never name a price. ".repeat(10);
    let reference = "@@@langfusePrompt:name=rules|label=production@@@ {{question}}";
    let config = json!({"model": "gpt-4o"});
    for (name, text) in [
        ("rules", rules.as_str()),
        ("ask", reference),
        ("ask", "{{question}}"),
    ] {
        let prompt =
            json!({"name": name, "prompt": text, "labels": ["production"], "config": config});
        let (status, made) = post(&client, "/api/public/v2/prompts", &prompt).await;
        assert!(status.is_success(), "{made}");
    }
    let diff = client
        .get_json("/api/v1/prompts/ask/diff?from=1&to=production")
        .await;
    assert_eq!(diff["changes"][0]["old"], reference, "as it was written");
    assert!(
        diff["prefix"]["old_tokens"].as_u64().unwrap() > 80,
        "{diff}"
    );
    assert_eq!(diff["prefix"]["tokenizer_is_exact"], true);
    assert_eq!(
        diff["prefix"]["expected_reuse"],
        Value::Null,
        "it has no token"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_that_are_not_there_are_not_found() {
    let client = shared().await.new_project();
    support(&client).await;
    for (path, expected) in [
        ("support/diff?from=4&to=6", StatusCode::NOT_FOUND),
        ("support/diff?from=staging&to=5", StatusCode::NOT_FOUND),
        ("other/diff?from=1&to=2", StatusCode::NOT_FOUND),
        ("support/diff?from=4", StatusCode::BAD_REQUEST),
        (
            "support/diff?from=4&to=NOT%20A%20LABEL",
            StatusCode::BAD_REQUEST,
        ),
        ("support/diff?from=4&to=5&model=x", StatusCode::BAD_REQUEST),
    ] {
        let answer = client.get(&format!("/api/v1/prompts/{path}")).await;
        assert_eq!(answer.status(), expected, "{path}");
    }
}
