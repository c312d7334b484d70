//! The spans of one trace as its tree shows them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use clickhouse::Row;
use domain::span::{CallRole, Level, SpanKind, Status, Timings};
use domain::trace::TreeSpan;
use domain::{ProjectId, SpanId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{optional_span_id, span_id, timestamp, usd};
use crate::traces::extent::Extent;

pub(crate) const SQL: &str = include_str!("by_trace.sql");

/// What is kept of it is copied, the rest is read where it lies: a trace may have a hundred thousand.
#[derive(Row, Deserialize)]
struct TreeRow<'a> {
    span_id: &'a str,
    parent_span_id: &'a str,
    name: &'a str,
    kind: &'a str,
    start_ns: i64,
    end_ns: Option<i64>,
    status: &'a str,
    level: &'a str,
    error_kind: &'a str,
    #[serde(borrow)]
    error_text: Option<&'a str>,
    service: &'a str,
    model: &'a str,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cost: Option<i128>,
    ttft_ms: Option<f64>,
    tpot_ms: Option<f64>,
    queue_ms: Option<f64>,
    prefill_ms: Option<f64>,
    decode_ms: Option<f64>,
    ttft_source: &'a str,
    response_id: &'a str,
    call_role: &'a str,
    usage_kinds: u8,
    version: u128,
}

/// The spans of a trace that lies within an extent, each once, in no order.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn by_trace(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<Vec<TreeSpan>, StoreError> {
    let mut rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_id", trace_id.as_str())
        .cursor::<TreeRow<'_>>()?;
    let mut live = Live::default();
    while let Some(row) = rows.next().await? {
        live.add(&row)?;
    }
    Ok(live.spans)
}

/// The newest version of each span.
#[derive(Default)]
struct Live {
    spans: Vec<TreeSpan>,
    /// The version of each of them.
    versions: Vec<u128>,
    places: HashMap<SpanId, usize>,
}

impl Live {
    fn add(&mut self, row: &TreeRow<'_>) -> Result<(), StoreError> {
        match self.places.entry(span_id(row.span_id)?) {
            Entry::Occupied(known) => {
                let place = *known.get();
                if self.versions[place] < row.version {
                    self.spans[place] = row.span(known.key().clone())?;
                    self.versions[place] = row.version;
                }
            }
            Entry::Vacant(free) => {
                self.spans.push(row.span(free.key().clone())?);
                self.versions.push(row.version);
                free.insert(self.spans.len() - 1);
            }
        }
        Ok(())
    }
}

impl TreeRow<'_> {
    fn span(&self, span_id: SpanId) -> Result<TreeSpan, StoreError> {
        Ok(TreeSpan {
            span_id,
            parent_span_id: optional_span_id(self.parent_span_id)?,
            name: self.name.to_owned(),
            kind: SpanKind::from_name(self.kind).unwrap_or_default(),
            start: timestamp(self.start_ns),
            end: self.end_ns.map(timestamp),
            status: Status::from_name(self.status).unwrap_or_default(),
            level: Level::from_name(self.level).unwrap_or_default(),
            error: error_line(self.error_kind, self.error_text),
            service: self.service.to_owned(),
            model: told(self.model),
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cost: self.cost.map(usd),
            timings: Timings {
                ttft_ms: self.ttft_ms,
                tpot_ms: self.tpot_ms,
                queue_ms: self.queue_ms,
                prefill_ms: self.prefill_ms,
                decode_ms: self.decode_ms,
                ttft_source: told(self.ttft_source),
            },
            response_id: told(self.response_id),
            call_role: CallRole::from_name(self.call_role).unwrap_or_default(),
            usage_details: self.usage_kinds,
        })
    }
}

fn told(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// `kind: message`, or whichever there is.
fn error_line(kind: &str, message: Option<&str>) -> Option<String> {
    match (told(kind), message.and_then(told)) {
        (Some(kind), Some(message)) => Some(format!("{kind}: {message}")),
        (kind, message) => kind.or(message),
    }
}
