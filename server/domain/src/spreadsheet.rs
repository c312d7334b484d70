//! Texts in files that are opened in spreadsheets, which take some of them for formulas.

use std::borrow::Cow;

/// What spreadsheets begin a formula with; the last four are the same in full width.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A text that no spreadsheet computes: what would be taken for a formula gets an apostrophe before it, which
/// spreadsheets take for "this is text". For texts alone: numbers are written as they are.
/// Source: OWASP, CSV Injection.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let is_led = text.starts_with(['\t', '\r', '\n']);
    let seen = text.trim_start_matches(|char: char| char.is_whitespace() || char.is_control());
    if is_led && !seen.is_empty() || seen.starts_with(SIGNS) {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_computed_is_marked_as_text() {
        for formula in [
            "=1+1",
            "+1",
            "-1+2",
            "@SUM(A1)",
            "\t=1",
            " =1",
            "\r\n=1",
            "\tx",
            "＝1",
            "=HYPERLINK(\"http://x.invalid\")",
        ] {
            assert_eq!(harmless(formula), format!("'{formula}"));
        }
        for text in [
            "",
            "a=1",
            "'=1",
            "1-2",
            "中文",
            " a",
            "\t",
            "{\"a\": \"=1\"}",
        ] {
            assert_eq!(harmless(text), text);
        }
    }
}
