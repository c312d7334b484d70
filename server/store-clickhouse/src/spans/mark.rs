//! How large a trace is, and whether it is as it was.

use clickhouse::Row;
use domain::{ProjectId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::traces::extent::Extent;

pub(crate) const SQL: &str = include_str!("mark.sql");

/// What is stored of a trace: two that are equal stand for the same rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Row, Deserialize)]
pub struct Mark {
    /// Rows: at least as many as the trace has spans, for a span that was sent again may be there twice.
    pub rows: u64,
    /// The versions of all of them, added up and cut where they do not fit.
    pub versions: u128,
}

/// The mark of a trace that lies within an extent. Cheap.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn mark(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<Mark, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_id", trace_id.as_str())
        .rows::<Mark>()
        .await?;
    Ok(rows.first().copied().unwrap_or_default())
}
