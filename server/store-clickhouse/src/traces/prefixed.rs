//! Traces by the head of their id.

use clickhouse::Row;
use domain::{ProjectId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::trace_id;

pub(crate) const SQL: &str = include_str!("prefixed.sql");

#[derive(Row, Deserialize)]
struct IdRow {
    trace_id: String,
}

/// Ids that begin with a text, at most `limit` of them.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn prefixed(
    clickhouse: &ClickHouse,
    project: ProjectId,
    prefix: &str,
    limit: u32,
) -> Result<Vec<TraceId>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("prefix", prefix)
        .param("limit", limit)
        .rows::<IdRow>()
        .await?;
    rows.into_iter()
        .map(|row| trace_id(&row.trace_id))
        .collect()
}
