//! Slices of the sessions by number, newest first.

use clickhouse::Row;
use domain::page::Slice;
use domain::session::Session;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::timestamp;
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("page.sql");

/// Which sessions are looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// `from ≤ start`.
    pub from: Option<Timestamp>,
    /// `start < to`.
    pub to: Option<Timestamp>,
    /// Of one of these environments; of all where there are none.
    pub environments: Vec<String>,
    /// With one of these ids; with any where there are none.
    pub ids: Vec<String>,
}

#[derive(Row, Deserialize)]
struct SessionRow {
    session_id: String,
    began_ns: i64,
    its_environment: String,
    total: u64,
}

/// The sessions of a slice, in order, and how many there are in all.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn page(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &Wanted,
    slice: Slice,
) -> Result<(Vec<Session>, u64), StoreError> {
    let rows = rows(clickhouse, project, wanted, slice).await?;
    let mut total = rows.first().map_or(0, |row| row.total);
    if rows.is_empty() && slice.skip() > 0 {
        // Beyond the end no row tells how many there are.
        let first = self::rows(clickhouse, project, wanted, Slice::FIRST).await?;
        total = first.first().map_or(0, |row| row.total);
    }
    let session = |row: SessionRow| Session {
        id: row.session_id,
        start: timestamp(row.began_ns),
        environment: row.its_environment,
    };
    Ok((rows.into_iter().map(session).collect(), total))
}

async fn rows(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &Wanted,
    slice: Slice,
) -> Result<Vec<SessionRow>, StoreError> {
    let to = wanted.to.unwrap_or(Timestamp::MAX);
    clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("to_hour", hour(to))
        .param(
            "from_ns",
            wanted.from.unwrap_or(Timestamp::EPOCH).unix_nanos(),
        )
        .param("to_ns", to.unix_nanos())
        .param("environments", &wanted.environments)
        .param("session_ids", &wanted.ids)
        .param("offset", slice.skip())
        .param("limit", slice.rows())
        .rows::<SessionRow>()
        .await
}
