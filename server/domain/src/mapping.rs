//! How a span was read: which key gave which field, which keys were looked for, what was not used.

use serde::Serialize;
use serde_json::Value as Json;

use crate::span::Span;

/// Every field that is read from keys, with its keys, best first.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Fields in reading order.
    pub fields: Vec<FieldKeys>,
    /// Beginnings of keys that are read whatever follows: metadata, numbered messages, judgements.
    pub prefixes: Vec<&'static str>,
}

/// A field and the keys that may give it.
#[derive(Clone, Debug)]
pub struct FieldKeys {
    /// Name of the field in the API.
    pub field: &'static str,
    /// Keys, best first.
    pub keys: Vec<&'static str>,
}

/// How one span was read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mapping {
    /// Each field, those that were found and those that were not.
    pub fields: Vec<MappedField>,
    /// How reported tokens were read; `None` without any.
    pub usage_rule: Option<&'static str>,
    /// Attributes that gave nothing. They are kept and can be searched.
    pub unused: Vec<String>,
}

/// Where a field comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MappedField {
    /// Its name in the API.
    pub field: String,
    /// Key, event or place that gave it; `None` when none did.
    pub key: Option<String>,
    /// What stood there, as sent; `None` where it was put together from several places.
    pub value: Option<Json>,
    /// Keys that were looked for, best first.
    pub looked_for: Vec<&'static str>,
}

/// Explains a span.
pub fn explain(span: &Span, catalogue: &Catalogue) -> Mapping {
    let mut fields: Vec<MappedField> = span
        .provenance
        .iter()
        .map(|evidence| MappedField {
            field: evidence.field.to_string(),
            key: Some(evidence.key.to_string()),
            value: attribute(span, &evidence.key),
            looked_for: keys_of(catalogue, &evidence.field),
        })
        .collect();
    let missing = catalogue.fields.iter().filter(|known| {
        let mut found = span.provenance.iter();
        !found.any(|evidence| evidence.field == known.field)
    });
    let missing: Vec<MappedField> = missing
        .map(|known| MappedField {
            field: known.field.to_owned(),
            key: None,
            value: None,
            looked_for: known.keys.clone(),
        })
        .collect();
    fields.extend(missing);
    Mapping {
        fields,
        usage_rule: span.usage.as_ref().map(|usage| usage.rule.as_str()),
        unused: unused(span, catalogue),
    }
}

fn attribute(span: &Span, key: &str) -> Option<Json> {
    let places = span
        .attributes
        .iter()
        .rev()
        .chain(span.resource.iter().rev())
        .chain(span.events.iter().rev().flat_map(|event| &event.attributes));
    let mut named = places.filter(|(name, _)| **name == *key);
    named.next().map(|(_, value)| value.to_json())
}

fn keys_of(catalogue: &Catalogue, field: &str) -> Vec<&'static str> {
    let known = catalogue.fields.iter().find(|known| known.field == field);
    known.map(|known| known.keys.clone()).unwrap_or_default()
}

fn unused(span: &Span, catalogue: &Catalogue) -> Vec<String> {
    let begins = |key: &str, prefix: &str| {
        let rest = key.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || prefix.ends_with('.'))
    };
    let is_used = |key: &str| {
        span.provenance
            .iter()
            .any(|evidence| begins(key, &evidence.key))
            || catalogue.prefixes.iter().any(|prefix| begins(key, prefix))
    };
    let keys = span.attributes.iter().map(|(key, _)| &**key);
    let mut unused: Vec<String> = keys
        .filter(|key| !is_used(key))
        .map(str::to_owned)
        .collect();
    unused.sort();
    unused.dedup();
    unused
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{SpanId, TraceId};
    use crate::span::Provenance;
    use crate::time::Timestamp;

    #[test]
    fn every_field_tells_its_source_or_what_was_looked_for() {
        let trace = TraceId::from_text("t").unwrap();
        let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH);
        span.attributes = vec![
            ("a.model".into(), "m".into()),
            ("meta.x".into(), "1".into()),
            ("odd".into(), "?".into()),
        ];
        span.provenance = vec![Provenance {
            field: "request_model".into(),
            key: "a.model".into(),
        }];
        let keys = |field, keys: &[&'static str]| FieldKeys {
            field,
            keys: keys.to_vec(),
        };
        let catalogue = Catalogue {
            fields: vec![
                keys("request_model", &["b.model", "a.model"]),
                keys("user_id", &["user.id"]),
            ],
            prefixes: vec!["meta."],
        };
        let mapping = explain(&span, &catalogue);
        assert_eq!(mapping.fields[0].value, Some(Json::from("m")));
        assert_eq!(mapping.fields[0].looked_for, ["b.model", "a.model"]);
        assert_eq!(mapping.fields[1].key, None);
        assert_eq!(mapping.fields[1].looked_for, ["user.id"]);
        assert_eq!(mapping.unused, ["odd"]);
    }
}
