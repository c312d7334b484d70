//! What there is of users: traces, log records, sessions, and how much it is.

use clickhouse::Row;
use domain::deletion::USER_ATTRIBUTES;
use domain::{ProjectId, SpanId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{span_id, trace_id};
use crate::traces::Extent;

pub(crate) const OF_USERS: &str = include_str!("of_users.sql");
pub(crate) const OF_ITEMS: &str = include_str!("of_items.sql");
pub(crate) const PARTS: &str = include_str!("parts.sql");
pub(crate) const SESSIONS: &str = include_str!("sessions.sql");
pub(crate) const LOGS: &str = include_str!("logs.sql");
pub(crate) const COUNTS: &str = include_str!("counts.sql");

/// Rows that one look gives at most; what is beyond is found by the next one.
const MOST: u32 = 200_000;
/// A user, and a trace that names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The user.
    pub user: String,
    /// The trace.
    pub trace_id: TraceId,
}

#[derive(Row, Deserialize)]
struct NamedRow {
    name: String,
    trace_id: String,
}

async fn named(read: crate::client::Read) -> Result<Vec<Named>, StoreError> {
    let rows = read.rows::<NamedRow>().await?;
    let named = |row: NamedRow| {
        Ok(Named {
            user: row.name,
            trace_id: trace_id(&row.trace_id)?,
        })
    };
    rows.into_iter().map(named).collect()
}

/// The traces that name some users.
///
/// # Errors
/// When ClickHouse is away or takes too long; so for all here.
pub async fn of_users(
    clickhouse: &ClickHouse,
    project: ProjectId,
    users: &[&str],
) -> Result<Vec<Named>, StoreError> {
    let read = clickhouse
        .read(OF_USERS)
        .param("project_id", project.to_string())
        .param("users", users)
        .param("limit", MOST);
    named(read).await
}

/// The traces of some sessions, with the session.
///
/// # Errors
/// As [`of_users`].
pub async fn sessions(
    clickhouse: &ClickHouse,
    project: ProjectId,
    sessions: &[&str],
) -> Result<Vec<Named>, StoreError> {
    let read = clickhouse
        .read(SESSIONS)
        .param("project_id", project.to_string())
        .param("session_ids", sessions)
        .param("limit", MOST);
    named(read).await
}

/// The traces of experiments over some items of datasets.
///
/// # Errors
/// As [`of_users`].
pub async fn of_items(
    clickhouse: &ClickHouse,
    project: ProjectId,
    items: &[&str],
) -> Result<Vec<TraceId>, StoreError> {
    let rows = clickhouse
        .read(OF_ITEMS)
        .param("project_id", project.to_string())
        .param("ids", items)
        .param("limit", MOST)
        .rows::<String>()
        .await?;
    rows.iter().map(|id| trace_id(id)).collect()
}

/// A span of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// Its trace.
    pub trace_id: TraceId,
    /// The span.
    pub span_id: SpanId,
    /// Users that it names.
    pub users: Vec<String>,
    /// Sessions that it names.
    pub sessions: Vec<String>,
}

#[derive(Row, Deserialize)]
struct PartRow {
    trace_id: String,
    span_id: String,
    users: Vec<String>,
    sessions: Vec<String>,
}

/// The spans of some traces that lie within an extent.
///
/// # Errors
/// As [`of_users`].
pub async fn parts(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_ids: &[&TraceId],
    extent: Extent,
) -> Result<Vec<PartOf>, StoreError> {
    let rows = clickhouse
        .read(PARTS)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_ids", trace_ids)
        .rows::<PartRow>()
        .await?;
    let part = |row: PartRow| {
        Ok(PartOf {
            trace_id: trace_id(&row.trace_id)?,
            span_id: span_id(&row.span_id)?,
            users: row.users,
            sessions: row.sessions,
        })
    };
    rows.into_iter().map(part).collect()
}

/// A log record that names a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLog {
    /// The user.
    pub user: String,
    /// Its trace; empty outside of any.
    pub trace_id: String,
    /// Hash of what it says.
    pub content: u64,
}

#[derive(Row, Deserialize)]
struct LogRow {
    user_id: String,
    trace_id: String,
    content: u64,
}

/// The log records that name some users.
///
/// # Errors
/// As [`of_users`].
pub async fn logs(
    clickhouse: &ClickHouse,
    project: ProjectId,
    users: &[&str],
) -> Result<Vec<NamedLog>, StoreError> {
    let rows = clickhouse
        .read(LOGS)
        .param("project_id", project.to_string())
        .param("users", users)
        .param("keys", USER_ATTRIBUTES.as_slice())
        .param("limit", MOST)
        .rows::<LogRow>()
        .await?;
    let named = rows.into_iter().map(|row| NamedLog {
        user: row.user_id,
        trace_id: row.trace_id,
        content: row.content,
    });
    Ok(named.collect())
}

#[derive(Row, Deserialize)]
pub(super) struct CountRow {
    pub(super) store: String,
    pub(super) found: u64,
}

/// How much there is of some traces and sessions beside spans, by store.
///
/// # Errors
/// As [`of_users`].
pub async fn counts(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_ids: &[&TraceId],
    sessions: &[&str],
) -> Result<Vec<(String, u64)>, StoreError> {
    let rows = clickhouse
        .read(COUNTS)
        .param("project_id", project.to_string())
        .param("trace_ids", trace_ids)
        .param("session_ids", sessions)
        .rows::<CountRow>()
        .await?;
    Ok(rows.into_iter().map(|row| (row.store, row.found)).collect())
}
