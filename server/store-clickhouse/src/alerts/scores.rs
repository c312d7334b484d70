//! Scores of one name by step.

use clickhouse::Row;
use domain::alert::Group;
use domain::alert::cell::{Cell, Cells};
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use super::MAX_ROWS;
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("scores.sql");

#[derive(Row, Deserialize)]
struct ScoreRow {
    step: i64,
    known: u64,
    total: i128,
    least: f64,
    greatest: f64,
    sketch: (Vec<i32>, Vec<u64>),
}

/// Cells of the scores of a name that were given within a window, in steps of so many seconds. They are one group.
///
/// # Errors
/// When ClickHouse is away or takes too long, or there are more than [`MAX_ROWS`] steps.
pub async fn scores(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (name, step_s): (&str, u64),
    (from, to): (Timestamp, Timestamp),
) -> Result<Cells, StoreError> {
    let step_ns = step_s.saturating_mul(1_000_000_000);
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("score_name", name)
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("step_ns", i64::try_from(step_ns).unwrap_or(i64::MAX))
        .param("limit", MAX_ROWS + 1)
        .rows::<ScoreRow>()
        .await?;
    if rows.len() > MAX_ROWS as usize {
        let message = format!("more than {MAX_ROWS} steps of scores");
        return Err(StoreError::TooLarge(message));
    }
    let mut cells = Cells::default();
    for row in rows {
        let cell = Cell {
            known: row.known,
            sum: row.total,
            min: row.least,
            max: row.greatest,
            sketch: row.sketch.0.into_iter().zip(row.sketch.1).collect(),
        };
        cells.add(Group::default(), row.step, &cell);
    }
    Ok(cells)
}
