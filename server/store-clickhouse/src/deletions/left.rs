//! What is still there of users, in the parts on the disk: rows that are marked as deleted count, too.

use domain::{ProjectId, TraceId};

use super::found::CountRow;
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const OF_TRACES: &str = include_str!("left_of_traces.sql");
pub(crate) const OF_USERS: &str = include_str!("left_of_users.sql");
pub(crate) const OF_LOGS: &str = include_str!("left_of_logs.sql");

/// Rows of some traces and sessions, by table.
///
/// # Errors
/// When ClickHouse is away or takes too long; so for all here.
pub async fn left_of_traces(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_ids: &[&TraceId],
    sessions: &[&str],
) -> Result<Vec<(String, u64)>, StoreError> {
    let rows = clickhouse
        .read(OF_TRACES)
        .with_deleted()
        .param("project_id", project.to_string())
        .param("trace_ids", trace_ids)
        .param("session_ids", sessions)
        .rows::<CountRow>()
        .await?;
    Ok(rows.into_iter().map(|row| (row.store, row.found)).collect())
}

/// Those of some users of whom there are spans.
///
/// # Errors
/// As [`left_of_traces`].
pub async fn left_of_users(
    clickhouse: &ClickHouse,
    project: ProjectId,
    users: &[&str],
) -> Result<Vec<String>, StoreError> {
    clickhouse
        .read(OF_USERS)
        .with_deleted()
        .param("project_id", project.to_string())
        .param("users", users)
        .rows::<String>()
        .await
}

/// Log records with some hashes.
///
/// # Errors
/// As [`left_of_traces`].
pub async fn left_of_logs(
    clickhouse: &ClickHouse,
    project: ProjectId,
    contents: &[u64],
) -> Result<u64, StoreError> {
    let rows = clickhouse
        .read(OF_LOGS)
        .with_deleted()
        .param("project_id", project.to_string())
        .param("contents", contents)
        .rows::<u64>()
        .await?;
    Ok(rows.first().copied().unwrap_or(0))
}
