//! Attribute values as text, and back without loss.
//!
//! A top-level value is its plain text with a letter for its type. What is nested is JSON; values
//! that JSON lacks are objects with one key that begins with `$`: `{"$bytes":"00ff"}`,
//! `{"$double":"NaN"}`, and `{"$map":[[key,value],…]}` for a map that would otherwise be mistaken
//! for one of these, or that has a key twice.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use domain::Value;
use domain::value::Attributes;
use serde_json::Value as Json;

/// A value's letter and text.
pub(crate) fn to_text(value: &Value) -> (u8, Cow<'_, str>) {
    match value {
        Value::Str(text) => (b's', Cow::Borrowed(text)),
        Value::Int(number) => (b'i', Cow::Owned(number.to_string())),
        Value::Double(number) => (b'd', Cow::Owned(double_text(*number))),
        Value::Bool(flag) => (b'b', Cow::Borrowed(if *flag { "true" } else { "false" })),
        Value::Bytes(bytes) => (b'x', Cow::Owned(hex::encode(bytes))),
        Value::Array(_) | Value::Map(_) => (b'j', Cow::Owned(to_json(value).to_string())),
        Value::Null => (b'n', Cow::Borrowed("")),
    }
}

/// The letter of a value's type.
pub(crate) fn letter(value: &Value) -> u8 {
    match value {
        Value::Str(_) => b's',
        Value::Int(_) => b'i',
        Value::Double(_) => b'd',
        Value::Bool(_) => b'b',
        Value::Bytes(_) => b'x',
        Value::Array(_) | Value::Map(_) => b'j',
        Value::Null => b'n',
    }
}

/// The value of a letter and text; a text that does not fit its letter stays text.
pub(crate) fn from_text(letter: u8, text: &str) -> Value {
    let value = match letter {
        b'i' => text.parse().ok().map(Value::Int),
        b'd' => text.parse().ok().map(Value::Double),
        b'b' => text.parse().ok().map(Value::Bool),
        b'x' => hex::decode(text).ok().map(Value::Bytes),
        b'j' => serde_json::from_str(text).ok().map(from_json),
        b'n' => Some(Value::Null),
        _ => None,
    };
    value.unwrap_or_else(|| Value::from(text))
}

/// Attributes as a JSON object, exactly.
pub(crate) fn attributes_to_json(attributes: &[(Arc<str>, Value)]) -> Json {
    let mut keys = HashSet::new();
    let is_plain = attributes
        .iter()
        .all(|(key, _)| !key.starts_with('$') && keys.insert(&**key));
    if is_plain {
        return attributes
            .iter()
            .map(|(key, value)| (key.to_string(), to_json(value)))
            .collect();
    }
    let pairs = attributes
        .iter()
        .map(|(key, value)| Json::Array(vec![Json::from(&**key), to_json(value)]));
    tagged("$map", pairs.collect())
}

/// The attributes of what [`attributes_to_json`] made.
pub(crate) fn attributes_from_json(json: Json) -> Attributes {
    match from_json(json) {
        Value::Map(pairs) => pairs,
        _ => Vec::new(),
    }
}

/// The resource of rows as JSON, made once for those that share it.
#[derive(Default)]
pub(crate) struct Resources {
    last: Option<(*const Attributes, Arc<str>)>,
}

impl Resources {
    pub(crate) fn json(&mut self, resource: &Arc<Attributes>) -> Arc<str> {
        let at = Arc::as_ptr(resource);
        match &self.last {
            Some((last, json)) if *last == at => Arc::clone(json),
            _ => {
                let json: Arc<str> = match resource.is_empty() {
                    true => Arc::from(""),
                    false => attributes_to_json(resource).to_string().into(),
                };
                self.last = Some((at, Arc::clone(&json)));
                json
            }
        }
    }
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::Str(text) => Json::from(&**text),
        Value::Int(number) => Json::from(*number),
        Value::Double(number) => match serde_json::Number::from_f64(*number) {
            Some(number) => Json::Number(number),
            None => tagged("$double", Json::from(double_text(*number))),
        },
        Value::Bool(flag) => Json::from(*flag),
        Value::Bytes(bytes) => tagged("$bytes", Json::from(hex::encode(bytes))),
        Value::Array(values) => values.iter().map(to_json).collect(),
        Value::Map(pairs) => attributes_to_json(pairs),
        Value::Null => Json::Null,
    }
}

fn from_json(json: Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(flag),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::Int(whole),
            (None, Some(fraction)) => Value::Double(fraction),
            (None, None) => Value::from(number.to_string().as_str()),
        },
        Json::String(text) => Value::Str(text.into()),
        Json::Array(values) => Value::Array(values.into_iter().map(from_json).collect()),
        Json::Object(pairs) => {
            if let Some(special) = from_tagged(&pairs) {
                return special;
            }
            let pairs = pairs
                .into_iter()
                .map(|(key, value)| (key.into(), from_json(value)));
            Value::Map(pairs.collect())
        }
    }
}

fn from_tagged(pairs: &serde_json::Map<String, Json>) -> Option<Value> {
    let (key, value) = pairs.iter().next().filter(|_| pairs.len() == 1)?;
    match (key.as_str(), value) {
        ("$double", Json::String(text)) => text.parse().ok().map(Value::Double),
        ("$bytes", Json::String(text)) => hex::decode(text).ok().map(Value::Bytes),
        ("$map", Json::Array(pairs)) => {
            let pair = |pair: &Json| match pair.as_array()?.as_slice() {
                [Json::String(key), value] => {
                    Some((Arc::from(key.as_str()), from_json(value.clone())))
                }
                _ => None,
            };
            pairs
                .iter()
                .map(pair)
                .collect::<Option<Attributes>>()
                .map(Value::Map)
        }
        _ => None,
    }
}

fn tagged(tag: &str, value: Json) -> Json {
    Json::Object([(tag.to_owned(), value)].into_iter().collect())
}

/// Shortest text that gives the same number back; `NaN`, `inf`, `-inf` where there is no number.
fn double_text(number: f64) -> String {
    format!("{number:?}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::spans::samples::any_value;

    proptest! {
        #[test]
        fn every_value_comes_back_as_it_was(value in any_value()) {
            let (letter, text) = to_text(&value);
            prop_assert_eq!(from_text(letter, &text), value);
        }
    }

    #[test]
    fn not_a_number_comes_back_at_any_depth() {
        let nested = Value::Array(vec![Value::Double(f64::NAN)]);
        for value in [Value::Double(f64::NAN), nested] {
            let (letter, text) = to_text(&value);
            assert_eq!(
                format!("{:?}", from_text(letter, &text)),
                format!("{value:?}")
            );
        }
    }
}
