//! Ids under which engines know requests.

use clickhouse::Row;
use domain::attr::gen_ai;
use domain::{ProjectId, SpanId, TraceId};
use serde::Deserialize;

use super::row::span_id;
use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::traces::extent::Extent;

pub(crate) const SQL: &str = include_str!("request_ids.sql");

/// Ids of one trace that are read at most.
const MOST: u32 = 1_000;

#[derive(Row, Deserialize)]
struct RequestRow {
    request_id: String,
    span_id: String,
}

/// The ids under which engines know the requests that calls of a trace record, with their spans, the earliest first.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn request_ids(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<Vec<(String, SpanId)>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_id", trace_id.as_str())
        .param("key", gen_ai::REQUEST_ID)
        .param("limit", MOST)
        .rows::<RequestRow>()
        .await?;
    rows.into_iter()
        .map(|row| Ok((row.request_id, span_id(&row.span_id)?)))
        .collect()
}
