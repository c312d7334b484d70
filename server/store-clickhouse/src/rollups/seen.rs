//! When users were first and last seen.

use std::collections::HashMap;

use clickhouse::Row;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::timestamp;

pub(crate) const SQL: &str = include_str!("seen.sql");

#[derive(Row, Deserialize)]
struct SeenRow {
    user_id: String,
    first_ns: i64,
    last_ns: i64,
}

/// The first and the last start of spans that name some users, ever; without users whom none names.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn seen(
    clickhouse: &ClickHouse,
    project: ProjectId,
    users: &[&str],
) -> Result<HashMap<String, (Timestamp, Timestamp)>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("users", users)
        .rows::<SeenRow>()
        .await?;
    let seen = |row: SeenRow| {
        let times = (timestamp(row.first_ns), timestamp(row.last_ns));
        (row.user_id, times)
    };
    Ok(rows.into_iter().map(seen).collect())
}
