use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::counts::Counts;
use super::masker::{Kind, Masker};
use super::settings::{Action, MaskedField};
use super::text::Within;
use crate::value::{Attributes, Value};

/// Attributes that tell of machines: what serves is found by their addresses.
const OF_MACHINES: &[&str] = &[
    "service.",
    "host.",
    "k8s.",
    "container.",
    "server.",
    "telemetry.",
    "deployment.",
    "cloud.",
    "process.",
    "os.",
];

impl Masker {
    /// Attributes, each by its own rule, else by that of the field that it gives.
    pub(super) fn attributes(&self, attributes: &mut Attributes, counts: &mut Counts) {
        for (key, value) in attributes {
            self.attribute(key, value, counts);
            if let Some(masked) = self.plain(key, Kind::Machine, counts) {
                *key = masked.into();
            }
        }
    }

    fn attribute(&self, key: &str, value: &mut Value, counts: &mut Counts) {
        if let Some((action, rule)) = self.of_attribute(key) {
            self.whole_value(action, value, rule, counts);
            return;
        }
        let given = self.keys.of(key);
        let ruled = given.and_then(|(field, _)| self.of_field(field));
        if let Some((action, rule)) = ruled
            && action != Action::Mask
        {
            self.whole_value(action, value, rule, counts);
            return;
        }
        let mut place = match given {
            Some((MaskedField::Metadata, name)) if !name.is_empty() => vec![Some(name.to_owned())],
            _ => Vec::new(),
        };
        self.value(
            value,
            kind_of(key, given.map(|(field, _)| field)),
            &mut place,
            counts,
        );
    }

    /// All of a value under an action.
    pub(super) fn whole_value(
        &self,
        action: Action,
        value: &mut Value,
        rule: &str,
        counts: &mut Counts,
    ) {
        if let Some(masked) = self.whole(action, &value.to_text()) {
            counts.add(rule);
            *value = Value::Str(masked.into());
        }
    }

    /// A value, with what is in it.
    pub(super) fn value(
        &self,
        value: &mut Value,
        kind: Kind,
        place: &mut Vec<Option<String>>,
        counts: &mut Counts,
    ) {
        if self.has_paths()
            && !place.is_empty()
            && let Some((action, rule)) = self.at(place)
        {
            self.whole_value(action, value, rule, counts);
            return;
        }
        let masked = match value {
            Value::Str(text) => self.within(text, &Within::at(kind, place), counts),
            Value::Int(number) => self.plain(&number.to_string(), kind, counts),
            Value::Double(number) if number.fract() == 0.0 && number.abs() < 1e18 => {
                self.plain(&format!("{number:.0}"), kind, counts)
            }
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => self.within(text, &Within::at(kind, place), counts),
                Err(_) => None,
            },
            Value::Array(values) => {
                place.push(None);
                for value in values {
                    self.value(value, kind, place, counts);
                }
                place.pop();
                None
            }
            Value::Map(pairs) => {
                for (key, value) in pairs {
                    place.push(Some(key.to_string()));
                    self.value(value, kind, place, counts);
                    place.pop();
                    if let Some(masked) = self.plain(key, kind, counts) {
                        *key = masked.into();
                    }
                }
                None
            }
            Value::Double(_) | Value::Bool(_) | Value::Null => None,
        };
        if let Some(masked) = masked {
            *value = Value::Str(masked.into());
        }
    }

    /// A value of parsed JSON, with what is in it.
    pub(super) fn parsed(
        &self,
        value: &mut Json,
        kind: Kind,
        place: &[Option<String>],
        counts: &mut Counts,
    ) {
        let masked = match value {
            Json::Null | Json::Bool(_) => None,
            Json::String(text) => self
                .within(text, &Within::at(kind, place), counts)
                .map(Json::String),
            // The text of it is what is walked through: one way for all JSON.
            _ => {
                let masked = self.within(&value.to_string(), &Within::at(kind, place), counts);
                masked.map(|masked| serde_json::from_str(&masked).unwrap_or(Json::String(masked)))
            }
        };
        if let Some(masked) = masked {
            *value = masked;
        }
    }

    /// The members of a parsed object.
    pub(super) fn object(&self, object: &mut Map<String, Json>, counts: &mut Counts) {
        if object.is_empty() {
            return;
        }
        let mut whole = Json::Object(std::mem::take(object));
        self.parsed(&mut whole, Kind::Content, &[], counts);
        if let Json::Object(masked) = whole {
            *object = masked;
        }
    }

    /// A field of its own: by its rule, else looked at.
    pub(super) fn field(
        &self,
        field: MaskedField,
        text: &str,
        counts: &mut Counts,
    ) -> Option<String> {
        if let Some((action, rule)) = self.of_field(field)
            && action != Action::Mask
        {
            let masked = self.whole(action, text);
            if masked.is_some() {
                counts.add(rule);
            }
            return masked;
        }
        self.within(text, &Within::top(kind_of("", Some(field))), counts)
    }

    /// A text of no field.
    pub(super) fn replace(&self, text: &mut String, kind: Kind, counts: &mut Counts) {
        if let Some(masked) = self.plain(text, kind, counts) {
            *text = masked;
        }
    }

    /// The same of a field.
    pub(super) fn replace_field(&self, field: MaskedField, text: &mut String, counts: &mut Counts) {
        if let Some(masked) = self.field(field, text, counts) {
            *text = masked;
        }
    }

    /// The same where there may be none; of a field that is dropped there is none afterwards.
    pub(super) fn replace_optional(
        &self,
        field: MaskedField,
        text: &mut Option<String>,
        counts: &mut Counts,
    ) {
        if let Some(there) = text {
            self.replace_field(field, there, counts);
        }
        let is_dropped = matches!(self.of_field(field), Some((Action::Drop, _)));
        if is_dropped {
            *text = None;
        }
    }

    /// The same of a text that is shared.
    pub(super) fn replace_shared(&self, text: &mut Arc<str>, kind: Kind, counts: &mut Counts) {
        if let Some(masked) = self.plain(text, kind, counts) {
            *text = masked.into();
        }
    }
}

fn kind_of(key: &str, field: Option<MaskedField>) -> Kind {
    match field {
        Some(MaskedField::UserId | MaskedField::SessionId) => Kind::Id,
        _ if key.ends_with("version") || key.ends_with("release") => Kind::Machine,
        _ if OF_MACHINES.iter().any(|prefix| key.starts_with(prefix)) => Kind::Machine,
        _ => Kind::Content,
    }
}
