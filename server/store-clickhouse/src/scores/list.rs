//! Lists of scores: newest first, each in its latest version.

use domain::page::Cursor;
use domain::score::Score;
use domain::score::wanted::Condition;
use domain::{ProjectId, Timestamp};

use super::conditions::{Compiled, compile};
use super::row::ScoreRow;
use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::with_conditions;

pub(crate) const SQL: &str = include_str!("list.sql");
pub(crate) const COUNT_SQL: &str = include_str!("count.sql");

/// Scores for which all conditions hold, newest first: after a place in the list, without the first
/// `offset`, at most `limit`.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn list(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &[Condition],
    (after, offset, limit): (Option<&Cursor>, u64, u32),
) -> Result<Vec<Score>, StoreError> {
    let end = Timestamp::MAX.unix_nanos();
    let (before_ns, before_id) = match after {
        Some(last) => (last.start.unix_nanos(), last.id.as_str()),
        None => (end, ""),
    };
    let compiled = compile(wanted);
    let query = clickhouse
        .read(&with_conditions(SQL, &compiled.sql))
        .param("project_id", project.to_string())
        .param("before_ns", before_ns)
        .param("before_id", before_id)
        .param("limit", limit)
        .param("offset", offset);
    let rows = compiled.bind(query).rows::<ScoreRow>().await?;
    rows.into_iter().map(ScoreRow::into_score).collect()
}

/// How many there are in all.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn count(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &[Condition],
) -> Result<u64, StoreError> {
    let compiled: Compiled = compile(wanted);
    let query = clickhouse
        .read(&with_conditions(COUNT_SQL, &compiled.sql))
        .param("project_id", project.to_string());
    let counts = compiled.bind(query).rows::<u64>().await?;
    Ok(counts.first().copied().unwrap_or(0))
}
