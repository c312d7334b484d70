//! How much a project has stored.

use clickhouse::Row;
use domain::ProjectId;
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("stored.sql");

#[derive(Row, Deserialize)]
struct Stored {
    rows: u64,
}

/// Rows of spans of a project, each version counted. Cheap: nothing but marks of the primary key is read.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn stored(clickhouse: &ClickHouse, project: ProjectId) -> Result<u64, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .rows::<Stored>()
        .await?;
    Ok(rows.first().map_or(0, |row| row.rows))
}
