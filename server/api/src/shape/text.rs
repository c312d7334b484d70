//! Texts that may be JSON: given on as they are, digit by digit, where they can be read safely.

use domain::sent_json::{Held, quoted};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Deeper JSON stays text, because readers of common languages give up on it.
const MAX_DEPTH: usize = 100;

/// A text, or the JSON that it is.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum TextOrJson<'a> {
    /// JSON, byte by byte as sent.
    Json(&'a RawValue),
    /// JSON with what readers could not hold written otherwise.
    Rewritten(Box<RawValue>),
    /// Text.
    Text(&'a str),
}

impl<'a> TextOrJson<'a> {
    /// Content as sent: objects and lists are JSON, everything else is text, so that `12` and
    /// `"quoted"` stay what they were.
    pub(crate) fn from_content(text: &'a str) -> Self {
        let is_structure = matches!(text.trim_start().as_bytes().first(), Some(b'{' | b'['));
        if is_structure {
            Self::from_json(text)
        } else {
            TextOrJson::Text(text)
        }
    }

    /// As [`TextOrJson::from_json`], with numbers of too many digits for most readers as texts.
    pub(crate) fn for_any_reader(text: &'a str) -> Self {
        match Self::from_json(text) {
            TextOrJson::Json(json) => match quoted(json.get(), Held::ByReaders) {
                Some(text) => RawValue::from_string(text)
                    .map_or(TextOrJson::Json(json), TextOrJson::Rewritten),
                None => TextOrJson::Json(json),
            },
            other => other,
        }
    }

    /// A value that is JSON text, such as one of metadata; text where it is not quite JSON.
    pub(crate) fn from_json(text: &'a str) -> Self {
        if !is_shallow(text) || has_broken_escapes(text) {
            return TextOrJson::Text(text);
        }
        serde_json::from_str(text).map_or(TextOrJson::Text(text), TextOrJson::Json)
    }
}

/// Whether brackets outside of strings nest no deeper than [`MAX_DEPTH`].
fn is_shallow(text: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return false;
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    true
}

/// Half an emoji (`\ud83d` alone) passes for JSON by grammar, but many readers refuse it.
fn has_broken_escapes(text: &str) -> bool {
    let may_have = text.contains("\\ud") || text.contains("\\uD");
    may_have && serde_json::from_str::<Value>(text).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> String {
        serde_json::to_string(&TextOrJson::from_content(text)).unwrap()
    }

    #[test]
    fn structures_keep_every_digit_and_the_rest_stays_text() {
        let big = r#"{"id":107505301260286111,"f":0.1}"#;
        assert_eq!(content(big), big);
        assert_eq!(content("[1, 2]"), "[1, 2]");
        for text in [
            "12",
            "12 apples",
            "{\"unfinished\": ",
            "[1,2",
            "NaN",
            "1e999",
            "",
            "\"q\" tail",
        ] {
            let shown: String = serde_json::from_str(&content(text)).unwrap();
            assert_eq!(shown, text);
        }
    }

    #[test]
    fn json_that_readers_choke_on_stays_text() {
        let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
        assert!(content(&deep).starts_with('"'));
        assert!(content(r#"{"a":"\ud83d"}"#).starts_with('"'));
        assert!(content(r#"{"a":"\ud83d\ude00"}"#).starts_with('{'));
        assert!(content(r#"{"a":"[[\"["}"#).starts_with('{'));
    }

    #[test]
    fn metadata_is_json_of_any_kind() {
        let json = |text| serde_json::to_string(&TextOrJson::from_json(text)).unwrap();
        assert_eq!(json("18446744073709551615"), "18446744073709551615");
        assert_eq!(json("\"x\""), "\"x\"");
        assert_eq!(json("x"), "\"x\"");
    }
}
