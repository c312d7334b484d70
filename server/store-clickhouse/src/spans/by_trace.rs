//! The spans of one trace as its tree shows them.

use std::collections::HashMap;

use clickhouse::Row;
use domain::span::{CallRole, Level, SpanKind, Status, Timings};
use domain::trace::TreeSpan;
use domain::{ProjectId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{optional_span_id, some, span_id, timestamp, usd};
use crate::traces::extent::Extent;

pub(crate) const SQL: &str = include_str!("by_trace.sql");

#[derive(Row, Deserialize)]
struct TreeRow {
    span_id: String,
    parent_span_id: String,
    name: String,
    kind: String,
    start_ns: i64,
    end_ns: Option<i64>,
    status: String,
    level: String,
    error_kind: String,
    error_text: Option<String>,
    service: String,
    model: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cost: Option<i128>,
    ttft_ms: Option<f64>,
    tpot_ms: Option<f64>,
    queue_ms: Option<f64>,
    prefill_ms: Option<f64>,
    decode_ms: Option<f64>,
    ttft_source: String,
    response_id: String,
    call_role: String,
    usage_kinds: u8,
    version: u128,
}

/// The spans of a trace that lies within an extent, each once, in no order.
pub async fn by_trace(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<Vec<TreeSpan>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_id", trace_id.as_str())
        .rows::<TreeRow>()
        .await?;
    let mut live: HashMap<String, TreeRow> = HashMap::with_capacity(rows.len());
    for row in rows {
        match live.get(&row.span_id) {
            Some(known) if known.version >= row.version => {}
            _ => {
                live.insert(row.span_id.clone(), row);
            }
        }
    }
    live.into_values().map(TreeRow::into_span).collect()
}

impl TreeRow {
    fn into_span(self) -> Result<TreeSpan, StoreError> {
        Ok(TreeSpan {
            span_id: span_id(&self.span_id)?,
            parent_span_id: optional_span_id(&self.parent_span_id)?,
            name: self.name,
            kind: SpanKind::from_name(&self.kind).unwrap_or_default(),
            start: timestamp(self.start_ns),
            end: self.end_ns.map(timestamp),
            status: Status::from_name(&self.status).unwrap_or_default(),
            level: Level::from_name(&self.level).unwrap_or_default(),
            error: error_line(self.error_kind, self.error_text),
            service: self.service,
            model: some(self.model),
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cost: self.cost.map(usd),
            timings: Timings {
                ttft_ms: self.ttft_ms,
                tpot_ms: self.tpot_ms,
                queue_ms: self.queue_ms,
                prefill_ms: self.prefill_ms,
                decode_ms: self.decode_ms,
                ttft_source: some(self.ttft_source),
            },
            response_id: some(self.response_id),
            call_role: CallRole::from_name(&self.call_role).unwrap_or_default(),
            usage_details: self.usage_kinds,
        })
    }
}

/// `kind: message`, or whichever there is.
fn error_line(kind: String, message: Option<String>) -> Option<String> {
    match (some(kind), message.and_then(some)) {
        (Some(kind), Some(message)) => Some(format!("{kind}: {message}")),
        (kind, message) => kind.or(message),
    }
}
