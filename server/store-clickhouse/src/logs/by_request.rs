//! Log records outside of traces that may tell of some requests.

use domain::log::LogRecord;
use domain::{ProjectId, Timestamp};

use super::row::LogRow;
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("by_request.sql");

/// Records that are read at most, the earliest ones.
const MOST: u32 = 1_000;
/// Ids that are looked for at once; more than 255 the engine does not search.
const MOST_IDS: usize = 200;

/// Records from `from` on, before `to`, that hold one of the ids; of the first two hundred ids the first thousand by time.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn by_request(
    clickhouse: &ClickHouse,
    project: ProjectId,
    ids: &[&str],
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<LogRecord>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = ids.iter().copied().take(MOST_IDS).collect();
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("ids", ids)
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("limit", MOST)
        .rows::<LogRow>()
        .await?;
    rows.into_iter().map(|row| row.into_record(None)).collect()
}
