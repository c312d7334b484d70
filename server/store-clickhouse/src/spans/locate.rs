//! The trace of a span whose id alone is known.

use domain::{ProjectId, SpanId, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row;

pub(crate) const SQL: &str = include_str!("locate.sql");

/// The newest trace that has such a span; `None` when there is none. Reads the ids of the whole
/// project: for a person's question, not for a program's loop.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn locate(
    clickhouse: &ClickHouse,
    project: ProjectId,
    span_id: &SpanId,
) -> Result<Option<TraceId>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("span_id", span_id.as_str())
        .rows::<String>()
        .await?;
    rows.first().map(|id| row::trace_id(id)).transpose()
}
