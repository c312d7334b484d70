use serde_json::Value as Json;

use super::counts::Counts;
use super::masker::{Kind, Masker};
use super::settings::{Action, MaskedField};
use crate::business_event::BusinessEvent;
use crate::change::Change;
use crate::log::LogRecord;
use crate::score::{Score, ScoreValue};
use crate::value::Value;

/// Fields of changes that are ids, times, numbers or names of a closed set.
const PLAIN_FIELDS: &[&str] = &[
    "id",
    "traceId",
    "parentObservationId",
    "timestamp",
    "startTime",
    "endTime",
    "completionStartTime",
    "level",
    "type",
    "public",
    "usage",
    "usageDetails",
    "costDetails",
    "promptVersion",
];
/// Fields of changes that are fields of spans under another name.
const FIELDS: &[(&str, MaskedField)] = &[
    ("input", MaskedField::Input),
    ("output", MaskedField::Output),
    ("metadata", MaskedField::Metadata),
    ("userId", MaskedField::UserId),
    ("sessionId", MaskedField::SessionId),
    ("tags", MaskedField::Tags),
    ("name", MaskedField::Name),
    ("statusMessage", MaskedField::Error),
];

impl Masker {
    /// Log records as they may be stored.
    pub fn logs(&self, logs: &mut [LogRecord], counts: &mut Counts) {
        let mut shared = None;
        for log in logs {
            self.log(log, counts);
            match &shared {
                Some((of, masked)) if std::sync::Arc::ptr_eq(of, &log.resource) => {
                    log.resource = std::sync::Arc::clone(masked);
                }
                _ => {
                    let masked = std::sync::Arc::new(self.resource(&log.resource, counts));
                    shared = Some((std::sync::Arc::clone(&log.resource), masked.clone()));
                    log.resource = masked;
                }
            }
        }
    }

    fn log(&self, log: &mut LogRecord, counts: &mut Counts) {
        let LogRecord {
            trace_id: _,
            span_id: _,
            time: _,
            severity_number: _,
            cut: _,
            invalid_utf8: _,
            place: _,
            keep: _,
            // Shared by many: masked once.
            resource: _,
            severity_text,
            event_name,
            body,
            attributes,
            scope,
        } = log;
        match event_field(event_name).and_then(|field| self.of_field(field)) {
            Some((Action::Keep, _)) => {}
            Some((action @ (Action::Hash | Action::Drop), rule)) => {
                if let Some(masked) = self.whole(action, &body.to_text()) {
                    counts.add(rule);
                    *body = Value::Str(masked.into());
                }
            }
            _ => self.value(body, Kind::Content, &mut Vec::new(), counts),
        }
        self.replace(severity_text, Kind::Content, counts);
        self.replace(event_name, Kind::Content, counts);
        self.attributes(attributes, counts);
        *scope = std::sync::Arc::new(self.scope(scope, counts));
    }

    /// Changes as they may be stored: what they come to needs no masking any more.
    pub fn changes(&self, changes: &mut [Change], counts: &mut Counts) {
        for change in changes {
            let body = std::mem::take(&mut change.body);
            change.body = body
                .into_iter()
                .map(|(name, mut value)| {
                    self.change(&name, &mut value, counts);
                    (name, value)
                })
                .collect();
        }
    }

    fn change(&self, name: &str, value: &mut Json, counts: &mut Counts) {
        if PLAIN_FIELDS.contains(&name) || value.is_null() {
            return;
        }
        let mut fields = FIELDS.iter();
        let field = fields
            .find(|(field, _)| *field == name)
            .map(|(_, field)| *field);
        let ruled = field.and_then(|field| self.of_field(field));
        if let Some((action, rule)) = ruled
            && action != Action::Mask
        {
            self.whole_json(action, rule, value, counts);
            return;
        }
        let kind = match (field, name) {
            (Some(MaskedField::UserId | MaskedField::SessionId), _) => Kind::Id,
            // Versions look like addresses.
            (_, "version" | "release" | "environment" | "model") => Kind::Machine,
            _ => Kind::Content,
        };
        // What a rule is about goes by the rule alone, as it was sent.
        let mut ruled = Vec::new();
        if let (Some(MaskedField::Metadata), Json::Object(members)) = (field, &mut *value) {
            for (key, value) in members {
                if let Some((action, rule)) = self.of_attribute(key) {
                    self.whole_json(action, rule, value, counts);
                    ruled.push((key.clone(), value.take()));
                }
            }
        }
        self.parsed(value, kind, &[], counts);
        if let Json::Object(members) = value {
            members.extend(ruled.into_iter().map(|(key, value)| {
                let masked = self.plain(&key, kind, &mut Counts::default());
                (masked.unwrap_or(key), value)
            }));
        }
    }

    fn whole_json(&self, action: Action, rule: &str, value: &mut Json, counts: &mut Counts) {
        match value {
            // Keys stay, and so do the places of metadata.
            Json::Object(members) if action != Action::Keep => {
                for value in members.values_mut() {
                    self.whole_json(action, rule, value, counts);
                }
            }
            Json::Array(values) if action != Action::Keep => {
                for value in values {
                    self.whole_json(action, rule, value, counts);
                }
            }
            Json::Null => {}
            _ => {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                if let Some(masked) = self.whole(action, &text) {
                    counts.add(rule);
                    *value = Json::String(masked);
                }
            }
        }
    }

    /// Scores as they may be stored.
    pub fn scores(&self, scores: &mut [Score], counts: &mut Counts) {
        for score in scores {
            self.replace(&mut score.name, Kind::Content, counts);
            if let Some(comment) = &mut score.comment
                && let Some(masked) = self.text(comment, counts)
            {
                *comment = masked;
            }
            if !score.metadata.is_empty()
                && let Some(masked) = self.field(MaskedField::Metadata, &score.metadata, counts)
            {
                // Under a rule that leaves nothing of it there is no object any more.
                score.metadata = match masked.starts_with('{') {
                    true => masked,
                    false => String::new(),
                };
            }
            if let ScoreValue::Text(text)
            | ScoreValue::Correction(text)
            | ScoreValue::Categorical { label: text, .. } = &mut score.value
                && let Some(masked) = self.text(text, counts)
            {
                *text = masked;
            }
        }
    }

    /// Business events as they may be stored.
    pub fn business_events(&self, events: &mut [BusinessEvent], counts: &mut Counts) {
        for event in events {
            self.replace_optional(MaskedField::UserId, &mut event.user_id, counts);
            self.replace_optional(MaskedField::SessionId, &mut event.session_id, counts);
            for text in [&mut event.name, &mut event.ab_group].into_iter().flatten() {
                self.replace(text, Kind::Content, counts);
            }
            for (key, value) in &mut event.attributes {
                if let Some((action, rule)) = self.of_attribute(key) {
                    self.whole_json(action, rule, value, counts);
                }
            }
            self.object(&mut event.attributes, counts);
        }
    }
}

/// The field that an event tells a part of, by its name.
pub(super) fn event_field(name: &str) -> Option<MaskedField> {
    match name.strip_prefix("gen_ai.")? {
        "choice" | "content.completion" => Some(MaskedField::Output),
        "content.prompt" => Some(MaskedField::Input),
        rest if rest.ends_with(".message") => Some(MaskedField::Input),
        _ => None,
    }
}
