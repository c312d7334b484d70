//! A reader of JSON that keeps the source: numbers stay as they were written, keys stay in their
//! order, and depth costs no stack when a text is only indented.

/// Indents.
mod indent;
/// Reads token by token.
mod scan;

pub(crate) use self::indent::{compact, pretty};
use self::scan::escape;

/// A piece of indented JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is: `k` a key, `s` a text, `n` a number or word, empty for the rest. These are the
    /// classes of the style sheet.
    pub(crate) class: &'static str,
    /// The text to show.
    pub(crate) text: String,
}

/// Deeper than this, indentation does not grow.
const MAX_INDENT: usize = 40;

/// Reads `\u4f60` and the like in a text that may be cut anywhere; other escapes of white space
/// become spaces.
pub(crate) fn read_escapes(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        read.push_str(&rest[..at]);
        rest = &rest[at..];
        let (character, length) = match escape(rest) {
            Some((c, length)) if !c.is_control() => (c, length),
            Some((_, length)) => (' ', length),
            None => ('\\', 1),
        };
        read.push(character);
        rest = &rest[length.min(rest.len())..];
    }
    read + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let (tokens, _) = pretty(text, usize::MAX)?;
        Some(tokens.into_iter().map(|token| token.text).collect())
    }

    #[test]
    fn digits_order_and_repeated_keys_stay() {
        let text = r#"{"id":107505301260286111,"n":18446744073709551615,"f":0.10,"f":1e999,"e":[],"o":{}}"#;
        let expected = "{\n  \"id\": 107505301260286111,\n  \"n\": 18446744073709551615,\n  \"f\": 0.10,\n  \"f\": 1e999,\n  \"e\": [],\n  \"o\": {}\n}";
        assert_eq!(shown(text).unwrap(), expected);
    }

    #[test]
    fn escapes_of_visible_characters_are_read_and_others_stay() {
        let text = r#"{"q":"\u4f60\u597d \ud83d\ude00 \"x\" \n \u0000 \ud83d"}"#;
        let expected = "{\n  \"q\": \"你好 😀 \\\"x\\\" \\n \\u0000 \\ud83d\"\n}";
        assert_eq!(shown(text).unwrap(), expected);
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            "12",
            "\"a\"",
            "{",
            "[1,2",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "[01]",
            "[NaN]",
            "[1] tail",
            "[\"a\nb\"]",
            "[\"\\x\"]",
            "{\"a\":1,}",
            "[1}",
            "[.5]",
            "[1.]",
            "[--1]",
        ] {
            assert!(pretty(text, usize::MAX).is_none(), "{text}");
        }
    }

    #[test]
    fn short_json_stays_on_one_line() {
        let (tokens, _) = compact(r#"{"a":[1,{"b":"x, y"}],"c":{}}"#, usize::MAX).unwrap();
        let line: String = tokens.into_iter().map(|token| token.text).collect();
        assert_eq!(line, r#"{"a": [1, {"b": "x, y"}], "c": {}}"#);
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let (tokens, cut) = pretty(&deep, 10_000).unwrap();
        assert!(cut && tokens.len() == 1);
    }

    #[test]
    fn a_budget_cuts_within_a_text() {
        let text = format!("[\"{}\"]", "é".repeat(1000));
        let (tokens, cut) = pretty(&text, 100).unwrap();
        let bytes: usize = tokens.iter().map(|token| token.text.len()).sum();
        assert!(cut && bytes <= 104, "{bytes}");
    }

    #[test]
    fn a_cut_text_has_its_escapes_read_as_far_as_it_goes() {
        assert_eq!(read_escapes(r#"{"a":"\u4f60\n\u59"#), r#"{"a":"你 \u59"#);
    }
}
