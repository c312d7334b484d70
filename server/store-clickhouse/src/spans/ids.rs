//! The ids of a trace's spans.

use domain::{ProjectId, SpanId, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row;
use crate::traces::extent::Extent;

pub(crate) const SQL: &str = include_str!("ids.sql");

/// The ids of all spans of a trace that lies within an extent, in no order.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn ids(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<Vec<SpanId>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_id", trace_id.as_str())
        .rows::<String>()
        .await?;
    rows.iter().map(|id| row::span_id(id)).collect()
}
