use serde_json::Value as Json;

/// A JSON object.
pub(super) type Map = serde_json::Map<String, Json>;

/// JSON that stands in a text that stands in a text is read, but no deeper.
const LEVELS: usize = 3;

/// The first of `keys` that has a value other than null.
pub(super) fn first<'a>(map: &'a Map, keys: &[&str]) -> Option<&'a Json> {
    keys.iter()
        .filter_map(|key| map.get(*key))
        .find(|value| !value.is_null())
}

/// The text of the first of `keys` that holds one.
pub(super) fn text<'a>(map: &'a Map, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| map.get(*key)?.as_str())
}

/// The same, owned.
pub(super) fn owned(map: &Map, keys: &[&str]) -> Option<String> {
    text(map, keys).map(str::to_owned)
}

/// The object at the first of `keys` that holds one.
pub(super) fn object<'a>(map: &'a Map, keys: &[&str]) -> Option<&'a Map> {
    keys.iter().find_map(|key| map.get(*key)?.as_object())
}

/// The list at the first of `keys` that holds one.
pub(super) fn list<'a>(map: &'a Map, keys: &[&str]) -> Option<&'a [Json]> {
    keys.iter()
        .find_map(|key| map.get(*key)?.as_array())
        .map(Vec::as_slice)
}

/// The word at `type`; empty when there is none.
pub(super) fn kind(map: &Map) -> &str {
    text(map, &["type"]).unwrap_or_default()
}

/// The object or list that a text is the JSON of.
pub(super) fn decoded(text: &str) -> Option<Json> {
    let mut inner = std::borrow::Cow::Borrowed(text);
    for _ in 0..LEVELS {
        if !inner.trim_start().starts_with(['{', '[', '"']) {
            return None;
        }
        match serde_json::from_str(&inner).ok()? {
            Json::String(text) => inner = text.into(),
            json @ (Json::Object(_) | Json::Array(_)) => return Some(json),
            _ => return None,
        }
    }
    None
}

/// A value whose text is read where it is the JSON of an object or a list: arguments and results of
/// tools come in both ways. Numbers of more digits than 64 bits hold are left in their text.
pub(super) fn unwrapped(value: &Json) -> Json {
    value
        .as_str()
        .filter(|text| !has_long_number(text))
        .and_then(decoded)
        .unwrap_or_else(|| value.clone())
}

fn has_long_number(text: &str) -> bool {
    const DIGITS: usize = 20;
    text.as_bytes()
        .chunk_by(|one, next| one.is_ascii_digit() && next.is_ascii_digit())
        .any(|run| run.len() >= DIGITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_in_text_is_read_at_three_levels_and_left_alone_below() {
        let mut value = json!({"a": 1});
        for _ in 0..3 {
            value = Json::String(value.to_string());
            assert_eq!(unwrapped(&value), json!({"a": 1}));
        }
        let deeper = Json::String(value.to_string());
        assert_eq!(unwrapped(&deeper), deeper);
    }

    #[test]
    fn digits_that_no_number_holds_are_kept() {
        for text in [
            r#"{"id":107505301260286111222}"#,
            r#"{"p":0.12345678901234567890}"#,
        ] {
            assert_eq!(unwrapped(&json!(text)), json!(text));
        }
        let exact = json!(r#"{"id":107505301260286111}"#);
        assert_eq!(
            unwrapped(&exact),
            json!({"id": 107_505_301_260_286_111_u64})
        );
    }

    #[test]
    fn numbers_and_words_are_no_json_in_text() {
        for text in ["17", "true", "null", "{'a': 1}", "\"quoted\"", ""] {
            assert_eq!(unwrapped(&json!(text)), json!(text));
        }
    }
}
