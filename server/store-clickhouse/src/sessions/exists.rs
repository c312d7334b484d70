//! Whether there is a session.

use domain::ProjectId;

use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("exists.sql");

/// Whether any span of the project names the session. Reads the sessions of the whole project: for a
/// person's question, not for a program's loop.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn exists(
    clickhouse: &ClickHouse,
    project: ProjectId,
    session: &str,
) -> Result<bool, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("session_id", session)
        .rows::<u8>()
        .await?;
    Ok(!rows.is_empty())
}
