//! How long sets of GPUs were at work.

use std::collections::BTreeMap;

use clickhouse::Row;
use domain::cost::BusyTime;
use domain::{Nanos, ProjectId};
use serde::Deserialize;

use super::{ServingKey, Window, within};
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = concat!(include_str!("each.sql"), include_str!("busy.sql"));

#[derive(Row, Deserialize)]
struct BusyRow {
    set: u32,
    busy_ns: u64,
    in_calls_ns: u64,
}

/// How long each set was at work within a window, by its number; sets that were not are left out.
/// `sets` says which set each serving is of.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn busy(
    clickhouse: &ClickHouse,
    project: ProjectId,
    window: Window,
    sets: &[(ServingKey, u32)],
) -> Result<BTreeMap<u32, BusyTime>, StoreError> {
    if sets.is_empty() {
        return Ok(BTreeMap::new());
    }
    let servings: Vec<u64> = sets.iter().map(|(key, _)| key.0).collect();
    let numbers: Vec<u32> = sets.iter().map(|(_, set)| *set).collect();
    let query = within(clickhouse, project, SQL, window)
        .param("servings", servings)
        .param("sets", numbers);
    let rows = query.rows::<BusyRow>().await?;
    let time = |row: &BusyRow| BusyTime {
        busy: Nanos(row.busy_ns),
        in_calls: Nanos(row.in_calls_ns),
    };
    Ok(rows.iter().map(|row| (row.set, time(row))).collect())
}
