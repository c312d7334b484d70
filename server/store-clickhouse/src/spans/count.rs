//! How large a trace is.

use domain::{ProjectId, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::traces::extent::Extent;

pub(crate) const SQL: &str = include_str!("count.sql");

/// Rows of a trace that lies within an extent: at least as many as it has spans, for a span that was
/// sent again may be there twice. Cheap.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn count(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<u64, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_id", trace_id.as_str())
        .rows::<u64>()
        .await?;
    Ok(rows.first().copied().unwrap_or(0))
}
