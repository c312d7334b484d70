//! When releases and versions of prompts were first seen.

use clickhouse::Row;
use domain::axes::Dimension;
use domain::axes::firsts::First;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("firsts.sql");

#[derive(Row, Deserialize)]
struct FirstRow {
    dimension_name: String,
    family: String,
    named: String,
    first_ns: i64,
}

/// When each of these was first seen on a generation of a range, the oldest first; `limit` of them at most.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn firsts(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (from, to): (Timestamp, Timestamp),
    limit: u32,
) -> Result<Vec<First>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", hour(from))
        .param("to_hour", hour(to))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("limit", limit)
        .rows::<FirstRow>()
        .await?;
    let first = |row: FirstRow| {
        let at = u64::try_from(row.first_ns).ok();
        Some(First {
            dimension: Dimension::from_name(&row.dimension_name)?,
            family: row.family,
            value: row.named,
            at: at.and_then(Timestamp::from_unix_nanos)?,
        })
    };
    Ok(rows.into_iter().filter_map(first).collect())
}
