//! Values of telemetry attributes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One attribute value, with the type that it came in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Text.
    Str(Arc<str>),
    /// A whole number; every digit is kept.
    Int(i64),
    /// A fraction; NaN and infinities occur.
    Double(f64),
    /// True or false.
    Bool(bool),
    /// Raw bytes.
    Bytes(Vec<u8>),
    /// An ordered list.
    Array(Vec<Value>),
    /// Keys with values, in the order sent.
    Map(Vec<(Arc<str>, Value)>),
    /// A value without content.
    Null,
}

/// Keys with values in the order sent. A key may occur twice; the last one counts.
pub type Attributes = Vec<(Arc<str>, Value)>;

impl Value {
    /// The text of a string value, `None` for other types.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The value as plain text: strings as they are, lists and maps as JSON, bytes as base16.
    pub fn to_text(&self) -> String {
        match self {
            Value::Str(text) => text.to_string(),
            Value::Null => String::new(),
            other => match other.to_json() {
                serde_json::Value::String(text) => text,
                json => json.to_string(),
            },
        }
    }

    /// The value as JSON. NaN and infinities become the texts `NaN`, `Infinity`, `-Infinity`,
    /// because JSON has no number for them; bytes become lower-case hexadecimal text.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Str(text) => serde_json::Value::String(text.to_string()),
            Value::Int(number) => (*number).into(),
            Value::Double(number) => double_to_json(*number),
            Value::Bool(flag) => (*flag).into(),
            Value::Bytes(bytes) => {
                serde_json::Value::String(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
            }
            Value::Array(values) => values.iter().map(Value::to_json).collect(),
            Value::Map(pairs) => attributes_to_json(pairs),
            Value::Null => serde_json::Value::Null,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Str(text.into())
    }
}

/// Attributes as one JSON object, in the order sent.
pub fn attributes_to_json(attributes: &[(Arc<str>, Value)]) -> serde_json::Value {
    attributes
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_json()))
        .collect()
}

/// The value of `key`; the last one where a key came twice.
pub fn get<'a>(attributes: &'a [(Arc<str>, Value)], key: &str) -> Option<&'a Value> {
    attributes
        .iter()
        .rev()
        .find(|(name, _)| &**name == key)
        .map(|(_, value)| value)
}

fn double_to_json(number: f64) -> serde_json::Value {
    serde_json::Number::from_f64(number).map_or_else(
        || {
            let name = match number {
                n if n.is_nan() => "NaN",
                n if n > 0.0 => "Infinity",
                _ => "-Infinity",
            };
            serde_json::Value::String(name.to_owned())
        },
        serde_json::Value::Number,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_lacks_become_their_names() {
        assert_eq!(Value::Double(f64::NAN).to_json(), "NaN");
        assert_eq!(Value::Double(f64::INFINITY).to_text(), "Infinity");
        assert_eq!(Value::Double(f64::NEG_INFINITY).to_text(), "-Infinity");
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        let attributes: Attributes = vec![("k".into(), Value::Int(1)), ("k".into(), Value::Int(2))];
        assert_eq!(get(&attributes, "k"), Some(&Value::Int(2)));
    }
}
