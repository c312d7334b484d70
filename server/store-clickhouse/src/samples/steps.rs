//! What series did in each step of a range.

use clickhouse::Row;
use domain::axes::SeriesId;
use domain::axes::query::Steps;
use domain::axes::range::Cell;
use domain::{Nanos, ProjectId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("steps.sql");

/// How long before a range the value is looked for that its first one grew from.
const REACH: Nanos = Nanos::from_seconds(300);
/// Nanoseconds of a millisecond.
const MILLI: u64 = 1_000_000;

#[derive(Row, Deserialize)]
struct CellRow {
    series_id: u64,
    step: u32,
    last: f64,
    last_ms: i64,
    count: u64,
    sum: f64,
    min: f64,
    max: f64,
    growth: f64,
    grown: u64,
}

/// What series did in each step in which they have samples.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn steps(
    clickhouse: &ClickHouse,
    project: ProjectId,
    series: &[SeriesId],
    steps: &Steps,
) -> Result<Vec<Cell>, StoreError> {
    if series.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<u64> = series.iter().map(|id| id.0).collect();
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("series_ids", ids)
        .param("from_ms", steps.from.unix_millis())
        .param("to_ms", steps.to.unix_millis())
        .param("before_ms", steps.from.minus(REACH).unix_millis())
        .param("step_ms", (steps.step.0 / MILLI).max(1))
        .rows::<CellRow>()
        .await?;
    let cell = |row: CellRow| Cell {
        series: SeriesId(row.series_id),
        step: row.step,
        last: row.last,
        last_ms: row.last_ms,
        count: row.count,
        sum: row.sum,
        min: row.min,
        max: row.max,
        growth: row.growth,
        grown: row.grown,
    };
    Ok(rows.into_iter().map(cell).collect())
}
