//! Halves of characters.

use std::borrow::Cow;

/// Half of a character (`\\ud83d` alone), as Python writes what was cut within an emoji, becomes the
/// character that stands for what cannot be shown.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    let mut whole = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        let escape = at + found;
        at = text.ceil_char_boundary(escape + 2);
        let Some(unit) = unit(text, escape) else {
            continue;
        };
        at = escape + 6;
        match unit {
            0xd800..=0xdbff if matches!(self::unit(text, at), Some(0xdc00..=0xdfff)) => at += 6,
            0xd800..=0xdfff => {
                whole.push_str(&text[copied..escape]);
                whole.push('\u{fffd}');
                copied = at;
            }
            _ => {}
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    whole.push_str(&text[copied..]);
    Cow::Owned(whole)
}

/// The number of `\\uXXXX` there.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::*;

    #[test]
    fn halves_are_replaced_and_whole_characters_stay() {
        let table = [
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\ud83d\ude00""#, "\u{1f600}"),
            (r#""\ude00\ud83d x\n""#, "\u{fffd}\u{fffd} x\n"),
            (r#""\\ud83d é""#, "\\ud83d é"),
            (r#""é\\\ud83dé""#, "é\\\u{fffd}é"),
        ];
        for (text, expected) in table {
            let read: Json = serde_json::from_str(&without(text)).unwrap();
            assert_eq!(read, expected, "{text}");
        }
    }
}
