//! A row, and the record that it is.

use std::sync::Arc;

use clickhouse::Row;
use domain::TraceId;
use domain::log::LogRecord;
use domain::span::Scope;
use serde::Deserialize;

use crate::error::StoreError;
use crate::spans::row::{json_attributes, optional_span_id, timestamp};
use crate::value;

#[derive(Row, Deserialize)]
pub(super) struct LogRow {
    span_id: String,
    time_ns: i64,
    severity_number: u8,
    severity_text: String,
    event_name: String,
    body: String,
    body_type: String,
    attributes: Vec<(String, String)>,
    attribute_types: String,
    resource: String,
    scope_name: String,
    scope_version: String,
    oddities: u8,
    place: u32,
}

impl LogRow {
    pub(super) fn into_record(self, trace_id: Option<&TraceId>) -> Result<LogRecord, StoreError> {
        let letters = self.attribute_types.bytes().chain(std::iter::repeat(b's'));
        let attributes = self.attributes.into_iter().zip(letters);
        let letter = self.body_type.bytes().next().unwrap_or(b's');
        Ok(LogRecord {
            trace_id: trace_id.cloned(),
            span_id: optional_span_id(&self.span_id)?,
            time: timestamp(self.time_ns),
            severity_number: self.severity_number,
            severity_text: self.severity_text,
            event_name: self.event_name,
            body: value::from_text(letter, &self.body),
            attributes: attributes
                .map(|((key, text), letter)| (Arc::from(key), value::from_text(letter, &text)))
                .collect(),
            resource: Arc::new(json_attributes(&self.resource)),
            scope: Arc::new(Scope {
                name: self.scope_name.into(),
                version: self.scope_version.into(),
            }),
            cut: self.oddities & 1 != 0,
            invalid_utf8: self.oddities & 2 != 0,
            place: self.place,
            keep: domain::retention::Keep::default(),
        })
    }
}
