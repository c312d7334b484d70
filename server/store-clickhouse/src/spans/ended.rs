//! Spans that ended lately.

use clickhouse::Row;
use domain::filter::Filter;
use domain::{Nanos, ProjectId, SpanId, Timestamp, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{compile, with_conditions, with_params};
use crate::spans::row::{span_id, trace_id};
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("ended.sql");

#[derive(Row, Deserialize)]
struct EndedRow {
    trace_id: String,
    span_id: String,
}

/// Spans that match and ended from ≤ t < to, those that ended last first, `most` at most. Those that took longer than
/// `longest` are not among them. The times of the filter do not count.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn ended(
    clickhouse: &ClickHouse,
    project: ProjectId,
    filter: &Filter,
    (from, to, longest): (Timestamp, Timestamp, Nanos),
    most: u32,
) -> Result<Vec<(TraceId, SpanId)>, StoreError> {
    let compiled = compile(filter);
    let query = clickhouse
        .read(&with_conditions(SQL, &compiled.on_span()))
        .param("project_id", project.to_string())
        .param("from_hour", hour(from.minus(longest)))
        .param("to_hour", hour(to))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("limit", most);
    let rows = with_params(query, &compiled).rows::<EndedRow>().await?;
    let places = rows.into_iter();
    let places = places.map(|row| Ok((trace_id(&row.trace_id)?, span_id(&row.span_id)?)));
    places.collect()
}
