//! Samples of the series that tell some values of the axes.

use std::collections::HashMap;

use clickhouse::Row;
use domain::axes::{Sample, SeriesId};
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("of_axes.sql");

#[derive(Row, Deserialize)]
struct SampleRow {
    series_id: u64,
    time_ms: i64,
    value: f64,
}

/// Samples from ≤ t < to by their series, in any order; `None` when there are more than `most`.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn of_axes(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (axes, from, to): (&[&str], Timestamp, Timestamp),
    most: u32,
) -> Result<Option<HashMap<SeriesId, Vec<Sample>>>, StoreError> {
    if axes.is_empty() {
        return Ok(Some(HashMap::new()));
    }
    let query = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("axes", axes)
        .param("from_ms", from.unix_millis())
        .param("to_ms", to.unix_millis())
        .param("limit", most.saturating_add(1));
    let mut rows = query.cursor::<SampleRow>()?;
    let (mut samples, mut count): (HashMap<SeriesId, Vec<Sample>>, u32) = (HashMap::new(), 0);
    while let Some(row) = rows.next().await? {
        count += 1;
        let sample = Timestamp::from_unix_millis(row.time_ms).map(|time| Sample {
            time,
            value: row.value,
        });
        samples
            .entry(SeriesId(row.series_id))
            .or_default()
            .extend(sample);
    }
    Ok((count <= most).then_some(samples))
}
