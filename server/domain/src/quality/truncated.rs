//! JSON that ends before it is complete: what a model leaves behind when it runs out of tokens.

use serde::de::IgnoredAny;

use crate::quality::{Format, fence};

/// Bytes of an answer in which a fenced block may begin, after a few words.
const PREAMBLE_BYTES: usize = 4 * 1024;

/// Whether an answer starts as JSON and ends before it is complete. JSON that is wrong before its end
/// is not truncated but malformed. Also found in a fenced block, with or without a closing fence.
/// `None` when nothing says that the answer is JSON at all: it neither was asked for, nor is there any.
pub fn truncated(text: &str, format: Option<&Format>) -> Option<bool> {
    let found = start(text).map(reading);
    match found {
        Some(Reading::EndsEarly) => Some(true),
        Some(Reading::Complete) => Some(false),
        Some(Reading::Malformed) | None => format.is_some_and(Format::is_json).then_some(false),
    }
}

/// How far a text reads as JSON.
enum Reading {
    Complete,
    EndsEarly,
    Malformed,
}

/// From where the answer is an object or a list: its first character, or the first in a fence.
fn start(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let opens = |json: &str| json.starts_with(['{', '[']);
    if opens(text) {
        return Some(text);
    }
    let preamble = &text[..text.floor_char_boundary(PREAMBLE_BYTES)];
    let fence = preamble.find('`')?;
    let fence = fence + preamble[fence..].find("```")?;
    let fenced = fence::after_open(&text[fence..])?.trim_start();
    opens(fenced).then_some(fenced)
}

fn reading(json: &str) -> Reading {
    match first_value(json) {
        // The fence was closed although the JSON was not.
        Reading::Malformed => match fence::without_close(json).map(first_value) {
            Some(Reading::EndsEarly) => Reading::EndsEarly,
            _ => Reading::Malformed,
        },
        known => known,
    }
}

/// Reads the first value and leaves what follows it.
fn first_value(json: &str) -> Reading {
    match parse(json) {
        Reading::Malformed => {
            // A number that breaks off in the middle (`[1.`) is wrong to the parser, not unfinished.
            let before_number = json.trim_end_matches(['-', '+', '.', 'e', 'E']);
            match parse(before_number) {
                Reading::EndsEarly if before_number.len() < json.len() => Reading::EndsEarly,
                _ => Reading::Malformed,
            }
        }
        known => known,
    }
}

fn parse(json: &str) -> Reading {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Reading::Complete,
        Some(Err(error)) if error.is_eof() => Reading::EndsEarly,
        Some(Err(_)) | None => Reading::Malformed,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn json_cut_anywhere_is_truncated() {
        let cuts = [
            "{",
            "[",
            r#"{"a"#,
            r#"{"a": "#,
            r#"{"a": "文"#,
            r#"{"a": "x\"#,
            r#"{"a": "\u4e"#,
            "[1,",
            "[1.",
            "[-",
            "[1e",
            "[1e+",
            "[tru",
            r#"{"a": {"b": [1, 2"#,
            "  \n[{\n",
            "[[]",
        ];
        for cut in cuts {
            assert_eq!(truncated(cut, None), Some(true), "{cut}");
        }
    }

    #[test]
    fn a_fenced_block_is_looked_into() {
        let cuts = [
            "```json\n{\"a\": [1, 2",
            "```json\n{\"a\": [1, 2\n```",
            "```\n{\"a\": \"x",
            "好的，结果如下：\n\n```json\n{\"名字\": \"张",
        ];
        for cut in cuts {
            assert_eq!(truncated(cut, None), Some(true), "{cut}");
        }
        assert_eq!(truncated("```json\n{\"a\": 1}\n```", None), Some(false));
        assert_eq!(truncated("```json\n{\"a\": \"```\"}\n", None), Some(false));
        assert_eq!(truncated("```python\n[1,", None), None);
    }

    #[test]
    fn malformed_is_not_truncated() {
        for malformed in ["{'a': 1", "[1,]", "{\"a\" 1", "not JSON", ""] {
            assert_eq!(
                truncated(malformed, Some(&Format::Json)),
                Some(false),
                "{malformed}"
            );
            assert_eq!(truncated(malformed, None), None, "{malformed}");
        }
    }

    #[test]
    fn a_bracket_that_opens_prose_says_nothing() {
        assert_eq!(truncated("[Note] the tests pass", None), None);
        assert_eq!(truncated("{name} is a placeholder", None), None);
        assert_eq!(truncated("plain words", None), None);
    }

    #[test]
    fn whole_json_is_not_truncated() {
        assert_eq!(truncated("[1, 2]", None), Some(false));
        assert_eq!(truncated("{\"a\": 1}\nThat is all.", None), Some(false));
        assert_eq!(truncated("7", Some(&Format::Json)), Some(false));
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<f64>().prop_map(Into::into),
            ".{0,12}".prop_map(Into::into),
        ];
        let value = leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::btree_map(".{0,6}", inner, 0..6)
                    .prop_map(|map| map.into_iter().collect()),
            ]
        });
        prop::collection::vec(value, 0..6).prop_map(Into::into)
    }

    proptest! {
        #[test]
        fn every_inner_cut_of_json_is_truncated(value in json(), at in any::<prop::sample::Index>()) {
            let text = value.to_string();
            let cut = text.floor_char_boundary(1 + at.index(text.len() - 1));
            prop_assert_eq!(truncated(&text[..cut], None), Some(true));
            prop_assert_eq!(truncated(&text, None), Some(false));
        }
    }
}
