use serde_json::Value as Json;

use super::*;
use domain::span::UsageRule;

fn counted(json: &str, counter: Counter<'_>) -> Option<Usage> {
    let Json::Object(object) = serde_json::from_str(json).unwrap() else {
        unreachable!()
    };
    usage_of_answer(&object, counter)
}

fn usage_of(json: &str) -> Option<Usage> {
    counted(json, Counter::default())
}

#[test]
fn parts_within_the_total_are_taken_out_of_the_details_only() {
    let usage = usage_of(r#"{"input":100,"output":20,"total":120,"cached_tokens":60}"#).unwrap();
    assert_eq!(
        (usage.input_tokens, usage.total_tokens),
        (Some(100), Some(120))
    );
    assert_eq!(usage.details["input"], 40);
    assert_eq!(usage.details["cache_read"], 60);
    assert_eq!(usage.rule, UsageRule::Total);
}

#[test]
fn parts_beside_the_total_are_added() {
    let usage =
        usage_of(r#"{"input":10,"output":5,"input_cache_read":90,"input_cache_creation":5}"#)
            .unwrap();
    assert_eq!(
        (usage.input_tokens, usage.output_tokens),
        (Some(105), Some(5))
    );
    assert_eq!((usage.details["input"], usage.rule), (10, UsageRule::Parts));
    let usage =
        usage_of(r#"{"input":80,"output":5,"input_cached_tokens":20,"total":105}"#).unwrap();
    assert_eq!(usage.input_tokens, Some(100));
}

#[test]
fn where_the_numbers_do_not_tell_the_provider_does() {
    let anthropic = Counter {
        provider: Some("anthropic"),
        ..Counter::default()
    };
    let json = r#"{"input_tokens":100,"output_tokens":7,"cache_read_input_tokens":60,
        "cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":2},
        "cache_creation_input_tokens":12}"#;
    let usage = counted(json, anthropic).unwrap();
    assert_eq!(usage.input_tokens, Some(172));
    assert_eq!(usage.details["cache_write_1h"], 2);
    assert_eq!(usage.details.get("cache_write"), None);
    assert_eq!(usage.rule, UsageRule::Provider);
    let gemini = Counter {
        provider: Some("gcp.gemini"),
        ..Counter::default()
    };
    let usage = counted(r#"{"input":10,"output":5,"reasoning_tokens":3}"#, gemini).unwrap();
    assert_eq!((usage.output_tokens, usage.details["output"]), (Some(8), 5));
    let usage = usage_of(r#"{"input":100,"output":7,"cached_tokens":60}"#).unwrap();
    assert_eq!(
        (usage.input_tokens, usage.rule),
        (Some(100), UsageRule::Usual)
    );
}

#[test]
fn nested_details_of_providers_are_read() {
    let usage = usage_of(
        r#"{"prompt_tokens":126,"completion_tokens":40,"total_tokens":166,
            "prompt_tokens_details":{"cached_tokens":64,"audio_tokens":null},
            "completion_tokens_details":{"reasoning_tokens":30}}"#,
    )
    .unwrap();
    assert_eq!(
        (usage.details["cache_read"], usage.details["reasoning"]),
        (64, 30)
    );
    assert_eq!((usage.details["input"], usage.details["output"]), (62, 10));
}

#[test]
fn odd_values_cost_only_themselves() {
    let usage = usage_of(r#"{"input":"10","output":null}"#).unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(10), None));
    let usage = usage_of(r#"{"input":-3,"output":5}"#).unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (None, Some(5)));
    assert_eq!(usage_of(r#"{"input":10.5}"#), None);
    assert_eq!(usage_of("{}"), None);
}
