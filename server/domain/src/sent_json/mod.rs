//! JSON as clients send it: with halves of characters, and with numbers that no number here holds.

/// Halves of characters.
mod halves;
/// Numbers of more digits than can be held.
mod long_numbers;

use serde_json::Value as Json;

pub use long_numbers::{Held, quoted};

/// Reads JSON. Half of a character becomes the character that stands for what cannot be shown.
///
/// # Errors
/// When it is no JSON.
pub fn read(text: &str) -> Result<Json, serde_json::Error> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&halves::without(text)))
}

/// The same of bytes.
///
/// # Errors
/// When they are no JSON.
pub fn read_bytes(bytes: &[u8]) -> Result<Json, serde_json::Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text),
        Err(_) => serde_json::from_slice(bytes),
    }
}

/// Puts contents in the place of what was read of them where that has lost digits: numbers that were too
/// long are texts there. `text` is what `json` was read from; contents are those fields of it, or of the
/// object at its field `within`.
pub fn keep_digits(text: &str, json: &mut Json, within: Option<&str>, contents: &[&str]) {
    let Some(mut exact) = quoted(text, Held::InMemory).and_then(|text| read(&text).ok()) else {
        return;
    };
    let (exact, json) = match within {
        None => (Some(&mut exact), Some(json)),
        Some(field) => (exact.get_mut(field), json.get_mut(field)),
    };
    let (Some(exact), Some(json)) = (exact, json) else {
        return;
    };
    for name in contents {
        if let (Some(exact), Some(place)) = (exact.get_mut(*name), json.get_mut(*name)) {
            *place = exact.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn contents_keep_their_digits_and_other_fields_their_numbers() {
        let text = r#"{"body":{"input":{"id":123456789012345678901234567890,"n":1},"cost":0.12345678901234567891},
            "\ud83d":1}"#;
        let mut json = read(text).unwrap();
        keep_digits(text, &mut json, Some("body"), &["input", "output"]);
        assert_eq!(
            json["body"]["input"],
            json!({"id": "123456789012345678901234567890", "n": 1})
        );
        assert!(json["body"]["cost"].is_f64());
        assert_eq!(json["\u{fffd}"], 1);
    }
}
