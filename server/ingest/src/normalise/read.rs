//! Values as the types that fields have, with an open hand: numbers as text, lists as JSON text.
//! What does not fit is `None` and stays among the attributes.

use domain::usage::MAX_COUNT;
use domain::{Usd, Value};
use serde_json::Value as Json;

/// Yes or no, also as a text: `True`, `false`. Other texts, among them `None`, say nothing.
pub(super) fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Str(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Value::Str(text) if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A text; of other types their text.
pub(super) fn text(value: &Value) -> String {
    value.to_text()
}

/// A count: not negative, no fraction, not beyond what is believed ([`MAX_COUNT`]).
pub(super) fn count(value: &Value) -> Option<u64> {
    match value {
        Value::Int(number) => u64::try_from(*number).ok(),
        Value::Double(number) => count_of_double(*number),
        Value::Str(text) => count_of_text(text),
        _ => None,
    }
    .filter(|count| *count <= MAX_COUNT)
}

/// As [`count`], of JSON.
pub(super) fn json_count(value: &Json) -> Option<u64> {
    match value {
        Json::Number(number) => number
            .as_u64()
            .or_else(|| number.as_f64().and_then(count_of_double)),
        Json::String(text) => count_of_text(text),
        _ => None,
    }
    .filter(|count| *count <= MAX_COUNT)
}

/// A finite number.
pub(super) fn number(value: &Value) -> Option<f64> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "durations and parameters are small"
    )]
    let number = match value {
        Value::Int(number) => *number as f64,
        Value::Double(number) => *number,
        Value::Str(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// An amount of dollars, not negative.
pub(super) fn dollars(value: &Value) -> Option<Usd> {
    match value {
        Value::Int(number) => number.to_string().parse().ok(),
        Value::Double(number) if number.is_finite() => number.to_string().parse().ok(),
        Value::Str(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(Usd::is_plausible)
    .map(Usd::rounded)
}

/// A list of texts: a list, a JSON list as text, texts with commas between them, or one text.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values
            .iter()
            .map(text)
            .filter(|text| !text.is_empty())
            .collect(),
        Value::Str(text) => match json(text) {
            Some(Json::Array(values)) => values.iter().map(plain).collect(),
            Some(Json::String(one)) => vec![one],
            _ => vec![text.to_string()],
        },
        _ => Vec::new(),
    }
}

/// An object: a map, or JSON text of one.
pub(super) fn object(value: &Value) -> Option<serde_json::Map<String, Json>> {
    match value {
        Value::Map(_) => match value.to_json() {
            Json::Object(map) => Some(map),
            _ => None,
        },
        Value::Str(text) => match json(text)? {
            Json::Object(map) => Some(map),
            // Some serialisers encode twice.
            Json::String(inner) => match json(&inner)? {
                Json::Object(map) => Some(map),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// JSON text of a value, for metadata and parameters: text that is a JSON object or list already
/// stays as it is.
pub(super) fn json_text(value: &Value) -> String {
    match value {
        Value::Str(text) if text.starts_with(['{', '[']) && json(text).is_some() => {
            text.to_string()
        }
        other => other.to_json().to_string(),
    }
}

/// A JSON value as plain text: strings without quotes.
pub(super) fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The text as JSON, if it is an object, a list or a string in quotes.
fn json(text: &str) -> Option<Json> {
    let trimmed = text.trim_start();
    trimmed
        .starts_with(['{', '[', '"'])
        .then(|| serde_json::from_str(trimmed).ok())?
}

fn count_of_text(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse()
        .ok()
        .or_else(|| text.parse().ok().and_then(count_of_double))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a whole number within 53 bits"
)]
fn count_of_double(number: f64) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    ((0.0..EXACT).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_in_every_form_and_nonsense_is_none() {
        let good = [
            Value::Int(10),
            Value::Double(10.0),
            "10".into(),
            " 10.0 ".into(),
        ];
        for value in good {
            assert_eq!(count(&value), Some(10), "{value:?}");
        }
        let bad = [
            Value::Int(-3),
            Value::Double(1.5),
            Value::Double(f64::NAN),
            Value::Int(1_000_000_000_001),
            Value::Double(2e12),
            "1000000000001".into(),
            "ten".into(),
        ];
        for value in bad {
            assert_eq!(count(&value), None, "{value:?}");
        }
        assert_eq!(count(&Value::Double(f64::NEG_INFINITY)), None);
    }

    #[test]
    fn lists_come_in_every_form() {
        let list = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(texts(&Value::Array(vec!["a".into(), "b".into()])), list);
        assert_eq!(texts(&r#"["a","b"]"#.into()), list);
        assert_eq!(texts(&"a".into()), ["a"]);
        assert_eq!(texts(&r#""a""#.into()), ["a"]);
    }

    #[test]
    fn amounts_are_exact_and_never_negative_or_infinite() {
        assert_eq!(dollars(&Value::Double(0.1)).unwrap().to_string(), "0.1");
        assert_eq!(dollars(&"1.5e-7".into()).unwrap().to_string(), "0.00000015");
        for bad in [
            Value::Double(f64::NAN),
            Value::Int(-1),
            "free".into(),
            Value::Double(1e18),
        ] {
            assert_eq!(dollars(&bad), None);
        }
    }
}
