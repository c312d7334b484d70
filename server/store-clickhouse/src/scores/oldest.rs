//! Where the scores of a stretch of time begin.

use domain::{ProjectId, Timestamp};

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::timestamp;

pub(crate) const SQL: &str = include_str!("oldest.sql");

/// When the first score from an instant on and before another one was made; `None`: there is none.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn oldest(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (from, to): (Timestamp, Timestamp),
) -> Result<Option<Timestamp>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .rows::<Option<i64>>()
        .await?;
    Ok(rows.first().copied().flatten().map(timestamp))
}
