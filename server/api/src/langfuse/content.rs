//! Contents, metadata, durations and money as clients of this API read them.

use std::collections::BTreeMap;

use domain::sent_json::{Held, quoted};
use domain::{Nanos, Usd};
use rust_decimal::prelude::ToPrimitive;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::shape::TextOrJson;

/// Content decoded, where it is JSON; an empty text is nothing.
pub(crate) fn decoded(text: Option<&str>) -> Option<TextOrJson<'_>> {
    text.filter(|text| !text.is_empty())
        .map(TextOrJson::for_any_reader)
}

/// Values that are JSON text, decoded.
pub(crate) fn decoded_values(texts: &BTreeMap<String, String>) -> BTreeMap<&str, TextOrJson<'_>> {
    let pairs = texts.iter();
    pairs
        .map(|(key, text)| (key.as_str(), TextOrJson::for_any_reader(text)))
        .collect()
}

/// A value with numbers of too many digits for most readers as texts.
pub(crate) struct Readable<'a>(pub(crate) &'a Value);

impl Serialize for Readable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Number(number) => match quoted(&number.to_string(), Held::ByReaders) {
                Some(_) => serializer.serialize_str(&number.to_string()),
                None => number.serialize(serializer),
            },
            Value::Array(items) => serializer.collect_seq(items.iter().map(Readable)),
            Value::Object(fields) => {
                serializer.collect_map(fields.iter().map(|(key, value)| (key, Readable(value))))
            }
            other => other.serialize(serializer),
        }
    }
}

/// A text where there is one.
pub(crate) fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Seconds.
pub(crate) fn seconds(time: Nanos) -> f64 {
    time.as_millis_f64() / 1_000.0
}

/// Dollars as a number, as near as it comes.
pub(crate) fn dollars(amount: Usd) -> Option<f64> {
    amount.0.to_f64()
}
