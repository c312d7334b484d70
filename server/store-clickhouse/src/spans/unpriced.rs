//! Models that have no price.

use clickhouse::Row;
use domain::cost::UnpricedModel;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{some, timestamp};
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("unpriced.sql");

/// Models that are listed.
const MOST: u32 = 100;

#[derive(Row, Deserialize)]
struct ModelRow {
    model: String,
    provider_name: String,
    calls: u64,
    last_ns: i64,
}

/// Models whose calls counted something since `from` and have no cost, the most called first.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn unpriced(
    clickhouse: &ClickHouse,
    project: ProjectId,
    from: Timestamp,
) -> Result<Vec<UnpricedModel>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", hour(from))
        .param("to_hour", u32::MAX)
        .param("limit", MOST)
        .rows::<ModelRow>()
        .await?;
    let models = rows.into_iter().map(|row| UnpricedModel {
        model: some(row.model),
        provider: some(row.provider_name),
        calls: row.calls,
        last_call: timestamp(row.last_ns),
    });
    Ok(models.collect())
}
