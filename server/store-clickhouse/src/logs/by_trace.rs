//! The log records of one trace.

use std::sync::Arc;

use clickhouse::Row;
use domain::log::LogRecord;
use domain::span::Scope;
use domain::{ProjectId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{json_attributes, optional_span_id, timestamp};
use crate::value;

pub(crate) const SQL: &str = include_str!("by_trace.sql");

/// Records of one trace that are read at most, the earliest ones.
const MOST: u32 = 10_000;

#[derive(Row, Deserialize)]
struct LogRow {
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

/// The records of a trace by time, each once: the first ten thousand.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn by_trace(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
) -> Result<Vec<LogRecord>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("trace_id", trace_id.as_str())
        .param("limit", MOST)
        .rows::<LogRow>()
        .await?;
    rows.into_iter()
        .map(|row| row.into_record(trace_id))
        .collect()
}

impl LogRow {
    fn into_record(self, trace_id: &TraceId) -> Result<LogRecord, StoreError> {
        let letters = self.attribute_types.bytes().chain(std::iter::repeat(b's'));
        let attributes = self.attributes.into_iter().zip(letters);
        let letter = self.body_type.bytes().next().unwrap_or(b's');
        Ok(LogRecord {
            trace_id: Some(trace_id.clone()),
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
        })
    }
}
