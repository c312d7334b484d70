//! The scores of some traces.

use domain::score::Score;
use domain::{ProjectId, TraceId};

use super::row::ScoreRow;
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("of_traces.sql");

/// Scores that are read at most, the oldest ones.
const MOST: u32 = 10_000;

/// The scores of some traces and of their spans, the oldest first; at most ten thousand.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn of_traces(
    clickhouse: &ClickHouse,
    project: ProjectId,
    traces: &[TraceId],
) -> Result<Vec<Score>, StoreError> {
    if traces.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = traces.iter().map(TraceId::as_str).collect();
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("trace_ids", ids)
        .param("limit", MOST)
        .rows::<ScoreRow>()
        .await?;
    rows.into_iter().map(ScoreRow::into_score).collect()
}
