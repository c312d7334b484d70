//! Where in time a session lies.

use clickhouse::Row;
use domain::ProjectId;
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("extent.sql");

#[derive(Row, Deserialize)]
pub(super) struct ExtentRow {
    pub(super) first_hour: u32,
    pub(super) last_hour: u32,
    pub(super) its_traces: u64,
}

/// The hours of a session; `None` when no span of the project names it. Reads the sessions of the whole
/// project: for a person's question, not for a program's loop.
pub(super) async fn extent(
    clickhouse: &ClickHouse,
    project: ProjectId,
    session: &str,
) -> Result<Option<ExtentRow>, StoreError> {
    let mut rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("session_id", session)
        .rows::<ExtentRow>()
        .await?;
    Ok(rows.pop().filter(|row| row.its_traces > 0))
}
