//! Whether an answer is the JSON that was asked for.

use serde::de::IgnoredAny;

use crate::quality::{Format, fence};

/// What to think of JSON inside a Markdown fence (```` ```json ````).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fences {
    /// Malformed: whoever asked for JSON will hand the answer to a parser.
    #[default]
    Reject,
    /// Well formed, for callers who strip the fence.
    Accept,
}

/// Whether an answer has the form asked for: exactly one JSON value by RFC 8259 with nothing around it
/// but white space, accepted by the schema if there is one. `None` for plain text, which cannot be
/// wrong, and for an answer beyond the schema's budget.
pub fn valid(text: &str, format: &Format, fences: Fences) -> Option<bool> {
    let json = match fences {
        Fences::Reject => text,
        Fences::Accept => fence::inside(text).unwrap_or(text),
    };
    match format {
        Format::Text => None,
        // Checked without being built: nesting costs no stack, size costs no memory.
        Format::Json => Some(serde_json::from_str::<IgnoredAny>(json).is_ok()),
        Format::JsonSchema(schema) => schema.accepts(json),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::quality::Schema;

    fn is_json(text: &str) -> bool {
        valid(text, &Format::Json, Fences::Reject) == Some(true)
    }

    #[test]
    fn only_one_whole_json_value_is_json() {
        for good in [r#"{"a": [1, 2.5e3, null]}"#, " [] \n", "\"文本\"", "true"] {
            assert!(is_json(good), "{good}");
        }
        let bad = [
            "",
            "好的，这是结果：{}",
            "{} Hope this helps!",
            "{'a': 1}",
            "[1,]",
            "{\"a\": NaN}",
            "{} {}",
        ];
        for bad in bad {
            assert!(!is_json(bad), "{bad}");
        }
    }

    #[test]
    fn a_fence_spoils_json_unless_the_rule_allows_it() {
        let fenced = "```json\n{\"code\": \"```sh\\nls\\n```\"}\n```";
        assert!(!is_json(fenced));
        assert_eq!(valid(fenced, &Format::Json, Fences::Accept), Some(true));
        assert_eq!(
            valid("```\n[1\n```", &Format::Json, Fences::Accept),
            Some(false)
        );
        assert_eq!(valid("[1]", &Format::Json, Fences::Accept), Some(true));
    }

    #[test]
    fn json_of_another_shape_is_not_valid_by_the_schema() {
        let schema = r#"{"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}"#;
        let format = Format::JsonSchema(Arc::new(Schema::compile(schema).unwrap()));
        assert_eq!(
            valid(r#"{"city": "北京"}"#, &format, Fences::Reject),
            Some(true)
        );
        assert_eq!(
            valid(r#"{"city": 7}"#, &format, Fences::Reject),
            Some(false)
        );
        assert_eq!(valid(r#"{"city": "#, &format, Fences::Reject), Some(false));
    }

    #[test]
    fn plain_text_cannot_be_wrong() {
        assert_eq!(valid("anything", &Format::Text, Fences::Reject), None);
    }

    #[test]
    fn nesting_without_end_is_judged_and_takes_no_stack() {
        let deep = "[".repeat(5_000_000);
        assert!(!is_json(&deep));
        assert!(is_json(&format!(
            "{}{}",
            "[".repeat(1_000_000),
            "]".repeat(1_000_000)
        )));
    }
}
