//! Those of some ids that there are.

use std::collections::HashSet;

use domain::ProjectId;

use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("known.sql");

/// Those of some ids that are ids of experiments, at whatever time.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn known(
    clickhouse: &ClickHouse,
    project: ProjectId,
    ids: &[&str],
) -> Result<HashSet<String>, StoreError> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("ids", ids)
        .rows::<String>()
        .await?;
    Ok(rows.into_iter().collect())
}
