use std::sync::Arc;

use proptest::prelude::*;

use super::*;

fn expecting(format: Format) -> Expectation {
    Expectation {
        format: Some(format),
        ..Expectation::default()
    }
}

fn anything() -> Expectation {
    let schema = r##"{"type": "object", "properties": {"a": {"$ref": "#"}}}"##;
    Expectation {
        format: Some(Format::JsonSchema(Arc::new(
            Schema::compile(schema).unwrap(),
        ))),
        characters: Some(LengthRange {
            min: Some(1),
            max: Some(9_000),
        }),
        ..Expectation::default()
    }
}

#[test]
fn a_good_answer_passes_every_check() {
    let reasons = ["end_turn".to_owned()];
    let answer = Answer {
        text: Some(r#"{"a": {}, "words": "five words are quite enough"}"#),
        output_tokens: Some(12),
        finish_reasons: &reasons,
    };
    let expected = Checks {
        format_valid: Some(true),
        truncated_json: Some(false),
        length_in_range: Some(true),
        refused: Some(false),
        stop_reason_valid: Some(true),
        repeated_ngram_ratio: Some(0.0),
        repeated_instruction_tokens: Some(0),
        unknown_token_run: Some(0),
    };
    assert_eq!(check(&answer, &anything(), &Rules::default()), expected);
}

#[test]
fn an_answer_cut_by_its_token_limit_is_truncated_and_invalid() {
    let reasons = ["max_tokens".to_owned()];
    let answer = Answer {
        text: Some(r#"{"标题": "半个"#),
        finish_reasons: &reasons,
        ..Answer::default()
    };
    let checks = check(&answer, &expecting(Format::Json), &Rules::default());
    assert_eq!(checks.format_valid, Some(false));
    assert_eq!(checks.truncated_json, Some(true));
    assert_eq!(checks.stop_reason_valid, Some(false));
    assert_eq!(checks.length_in_range, None);
}

#[test]
fn without_text_every_check_of_text_is_unknown() {
    let reasons = ["stop".to_owned()];
    let answer = Answer {
        finish_reasons: &reasons,
        ..Answer::default()
    };
    let expected = Checks {
        stop_reason_valid: Some(true),
        ..Checks::default()
    };
    assert_eq!(check(&answer, &anything(), &Rules::default()), expected);
}

#[test]
fn a_call_of_a_tool_owes_no_words_but_a_silent_answer_does() {
    let with_reason = |reason: &str| {
        let reasons = [reason.to_owned()];
        let answer = Answer {
            text: Some(" "),
            finish_reasons: &reasons,
            ..Answer::default()
        };
        check(&answer, &expecting(Format::Json), &Rules::default()).format_valid
    };
    assert_eq!(with_reason("tool_calls"), None);
    assert_eq!(with_reason("stop"), Some(false));
}

#[test]
fn hostile_sizes_are_judged() {
    let expectation = anything();
    for text in [
        "[".repeat(10_000_000),
        "a".repeat(10_000_000),
        "`".repeat(1_000_000),
        "\"".repeat(1_000_000),
        "<unk>".repeat(200_000),
        "<|im_start|>".repeat(100_000),
        "我".repeat(1_000_000),
        "\u{fffd}".repeat(1_000_000),
        "i can't ".repeat(100_000),
    ] {
        let answer = Answer {
            text: Some(&text),
            ..Answer::default()
        };
        let checks = check(&answer, &expectation, &Rules::default());
        assert_eq!(checks.format_valid, Some(false));
        assert_eq!(checks.length_in_range, Some(false));
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_check_fail_or_leave_its_range(text in hostile_text(), ngram in any::<usize>()) {
        let rules = Rules { fences: Fences::Accept, ngram, ..Rules::default() };
        let reasons = [text.clone()];
        let answer = Answer { text: Some(&text), output_tokens: None, finish_reasons: &reasons };
        let checks = check(&answer, &anything(), &rules);
        if let Some(ratio) = checks.repeated_ngram_ratio {
            prop_assert!((0.0..=1.0).contains(&ratio));
        }
        prop_assert!(checks.unknown_token_run.is_some_and(|run| run <= text.len() as u64));
        prop_assert!(!(checks.format_valid == Some(true) && checks.truncated_json == Some(true)));
        system_hash(&text);
        InputDigest::of(&text);
    }
}

fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        prop::sample::select(vec![
            "```",
            "```json\n",
            "{",
            "[",
            "\"",
            "}",
            "]",
            ",",
            ":",
            "\n",
            "<unk>",
            "\u{fffd}",
            "<s>",
            "[INST]",
            "<think>",
            "</think>",
            "I can't help with",
            "抱歉，我无法提供",
            "\\",
            "1e",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}
