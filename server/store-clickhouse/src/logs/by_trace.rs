//! The log records of one trace.

use domain::log::LogRecord;
use domain::{ProjectId, TraceId};

use super::row::LogRow;
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("by_trace.sql");

/// Records of one trace that are read at most, the earliest ones.
const MOST: u32 = 10_000;

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
        .map(|row| row.into_record(Some(trace_id)))
        .collect()
}
