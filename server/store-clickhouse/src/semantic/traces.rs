//! Traces as what events happen to.

use clickhouse::Row;
use domain::impact::Trace;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{some, timestamp};
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("traces.sql");

#[derive(Row, Deserialize)]
struct TakenRow {
    trace_id: String,
    session: String,
    user: String,
    grouped: String,
    start_ns: i64,
    end_ns: i64,
}

/// Traces with spans in a range, `limit` at most.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn traces(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (from, to): (Timestamp, Timestamp),
    limit: u32,
) -> Result<Vec<Trace>, StoreError> {
    let query = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", hour(from))
        .param("to_hour", hour(to))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("limit", limit);
    let mut rows = query.cursor::<TakenRow>()?;
    let mut taken = Vec::new();
    while let Some(row) = rows.next().await? {
        taken.push(Trace {
            trace_id: row.trace_id,
            session_id: some(row.session),
            user_id: some(row.user),
            ab_group: some(row.grouped),
            start: timestamp(row.start_ns),
            end: timestamp(row.end_ns),
        });
    }
    Ok(taken)
}
