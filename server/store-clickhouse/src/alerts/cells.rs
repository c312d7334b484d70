//! Requests by step and group.

use std::collections::BTreeMap;

use clickhouse::Row;
use domain::alert::Group;
use domain::alert::cell::{Cell, Cells};
use domain::alert::measure::RequestMeasure;
use domain::filter::Filter;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{LATENCY, compile, with_conditions, with_params};
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("cells.sql");

/// Most steps, groups and measures multiplied that are read at once.
pub const MAX_ROWS: u32 = 500_000;

/// What is asked of requests.
pub struct Question<'q> {
    /// Which requests.
    pub filter: &'q Filter,
    /// Dimensions that they are told apart by.
    pub dimensions: &'q [String],
    /// What is measured.
    pub measures: &'q [RequestMeasure],
    /// Seconds of a step.
    pub step_s: u64,
    /// From the end of which request on, and before that of which.
    pub window: (Timestamp, Timestamp),
}

#[derive(Row, Deserialize)]
struct CellRow {
    step: i64,
    groups: Vec<String>,
    measure: String,
    known: u64,
    total: i128,
    least: f64,
    greatest: f64,
    sketch: (Vec<i32>, Vec<u64>),
}

/// Cells of each measure. Groups lack the dimensions that their requests say nothing of.
///
/// # Errors
/// When ClickHouse is away or takes too long, or there are more than [`MAX_ROWS`].
pub async fn cells(
    clickhouse: &ClickHouse,
    project: ProjectId,
    question: &Question<'_>,
) -> Result<BTreeMap<RequestMeasure, Cells>, StoreError> {
    let (from, to) = question.window;
    let compiled = compile(question.filter);
    let mut conditions = compiled.on_span();
    if question.filter.min_latency_ms.is_some() {
        conditions = format!("{conditions} AND {LATENCY}");
    }
    let measures: Vec<&str> = question.measures.iter().map(|it| it.as_str()).collect();
    let step_ns = question.step_s.saturating_mul(1_000_000_000);
    let query = clickhouse
        .read(&with_conditions(SQL, &conditions))
        .param("project_id", project.to_string())
        .param("from_hour", hour(from).saturating_sub(1))
        .param("to_hour", hour(to))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", to.unix_nanos())
        .param("step_ns", i64::try_from(step_ns).unwrap_or(i64::MAX))
        .param("measures", measures)
        .param("dimensions", question.dimensions)
        .param(
            "min_latency_ms",
            question.filter.min_latency_ms.unwrap_or(0.0),
        )
        .param("limit", MAX_ROWS + 1);
    let rows = with_params(query, &compiled).rows::<CellRow>().await?;
    if rows.len() > MAX_ROWS as usize {
        let message = format!("more than {MAX_ROWS} steps, groups and measures");
        return Err(StoreError::TooLarge(message));
    }
    let mut found: BTreeMap<RequestMeasure, Cells> = BTreeMap::new();
    for row in rows {
        let Some(measure) = RequestMeasure::from_name(&row.measure) else {
            continue;
        };
        let cell = Cell {
            known: row.known,
            sum: row.total,
            min: row.least,
            max: row.greatest,
            sketch: row.sketch.0.into_iter().zip(row.sketch.1).collect(),
        };
        let named = question.dimensions.iter().cloned().zip(row.groups);
        let group = Group::of(named);
        found
            .entry(measure)
            .or_default()
            .add(group, row.step, &cell);
    }
    Ok(found)
}
