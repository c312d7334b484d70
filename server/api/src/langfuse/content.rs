//! Contents, metadata, durations and money as clients of this API read them.

use std::collections::BTreeMap;

use domain::{Nanos, Usd};
use rust_decimal::prelude::ToPrimitive;

use crate::shape::TextOrJson;

/// Content decoded, where it is JSON; an empty text is nothing.
pub(crate) fn decoded(text: Option<&str>) -> Option<TextOrJson<'_>> {
    text.filter(|text| !text.is_empty())
        .map(TextOrJson::from_json)
}

/// Values that are JSON text, decoded.
pub(crate) fn decoded_values(texts: &BTreeMap<String, String>) -> BTreeMap<&str, TextOrJson<'_>> {
    let pairs = texts.iter();
    pairs
        .map(|(key, text)| (key.as_str(), TextOrJson::from_json(text)))
        .collect()
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
