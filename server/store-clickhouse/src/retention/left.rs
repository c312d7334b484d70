//! What is past its time and still there, marked as deleted or not; what some settings would remove; and what the engine
//! left is done at once.

use std::collections::BTreeMap;

use clickhouse::Row;
use domain::retention::RetentionSettings;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use super::stamp::SECONDS;
use super::{Days, before_ns, nanos};
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const LEFT: &str = include_str!("left.sql");
pub(crate) const PARTITIONS: &str = include_str!("partitions.sql");
pub(crate) const WOULD_GO: &str = include_str!("would_go.sql");

/// Nanoseconds of a millisecond.
const MILLI: i64 = 1_000_000;

#[derive(Row, Deserialize)]
pub(super) struct CountRow {
    pub(super) store: String,
    pub(super) found: u64,
}

#[derive(Row, Deserialize)]
struct PartitionRow {
    store: String,
    partition: String,
}

/// How much is past its time and still on the disk, by store; stores without any are not named.
///
/// # Errors
/// When ClickHouse is away or takes too long; so for all here.
pub async fn left(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
) -> Result<BTreeMap<String, u64>, StoreError> {
    let metrics = before_ns(settings.metrics_days, now) / MILLI;
    let rows = clickhouse
        .read(LEFT)
        .with_deleted()
        .param("project_id", project.to_string())
        .param("now_ns", nanos(now))
        .param("before_ns", before_ns(settings.shortest_structure(), now))
        .param("metrics_before_ms", metrics)
        .rows::<CountRow>()
        .await?;
    Ok(counts(rows))
}

/// How much would be removed by some settings while these users are held, by store.
///
/// # Errors
/// As [`left`].
pub async fn would_go(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
    held: &[String],
) -> Result<BTreeMap<String, u64>, StoreError> {
    let metrics = before_ns(settings.metrics_days, now) / MILLI;
    let read = clickhouse
        .read(WOULD_GO)
        .param("project_id", project.to_string())
        .param("now_ns", nanos(now))
        .param("users", held)
        .param("metrics_before_ms", metrics);
    let rows = Days::new(settings).on_read(read).rows::<CountRow>().await?;
    Ok(counts(rows))
}

fn counts(rows: Vec<CountRow>) -> BTreeMap<String, u64> {
    let some = rows.into_iter().filter(|row| row.found > 0);
    some.map(|row| (row.store, row.found)).collect()
}

/// Tables in which rows are marked only; what the others are found by goes last.
const MASKED: [(&str, &str); 5] = [
    ("samples", "ALTER TABLE samples APPLY DELETED MASK"),
    ("series", "ALTER TABLE series APPLY DELETED MASK"),
    ("scores", "ALTER TABLE scores APPLY DELETED MASK"),
    ("changes", "ALTER TABLE changes APPLY DELETED MASK"),
    ("traces", "ALTER TABLE traces APPLY DELETED MASK"),
];

/// Has the engine do now what it left: months with rows or contents past their time are written without them, and so are
/// tables with rows that are only marked.
///
/// # Errors
/// As [`left`].
pub async fn materialise(
    clickhouse: &ClickHouse,
    project: ProjectId,
    now: Timestamp,
    left: &BTreeMap<String, u64>,
) -> Result<(), StoreError> {
    let partitions = clickhouse
        .read(PARTITIONS)
        .with_deleted()
        .param("project_id", project.to_string())
        .param("now_ns", nanos(now))
        .rows::<PartitionRow>()
        .await?;
    for PartitionRow { store, partition } in partitions {
        // The id of a month is digits; it cannot be a parameter.
        if partition.bytes().all(|byte| byte.is_ascii_digit()) {
            let sql = format!("ALTER TABLE {store} MATERIALIZE TTL IN PARTITION ID '{partition}'");
            rewrite(clickhouse, &sql).await?;
        }
    }
    for (table, sql) in MASKED {
        if left.contains_key(table) {
            rewrite(clickhouse, sql).await?;
        }
    }
    Ok(())
}

async fn rewrite(clickhouse: &ClickHouse, sql: &str) -> Result<(), StoreError> {
    let statement = clickhouse
        .statement(sql)
        .with_setting("mutations_sync", "2")
        .with_setting("max_execution_time", SECONDS);
    Ok(statement.execute().await?)
}
