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
use crate::filter::{compile_each, with_params};
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
    /// From the end of which request on.
    pub from: Timestamp,
}

/// The steps that requests are put into, by their ends.
#[derive(Clone, Copy)]
pub struct Steps {
    /// Seconds of a step.
    pub step_s: u64,
    /// Before which instant requests have ended.
    pub to: Timestamp,
}

/// What a question comes to: cells of each measure.
pub type ByMeasure = BTreeMap<RequestMeasure, Cells>;

#[derive(Row, Deserialize)]
struct CellRow {
    question: u32,
    step: i64,
    groups: Vec<String>,
    measure: String,
    known: u64,
    total: i128,
    least: f64,
    greatest: f64,
    sketch: (Vec<i32>, Vec<u64>),
}

/// Cells for one question. Groups lack the dimensions that their requests say nothing of.
///
/// # Errors
/// When ClickHouse is away or takes too long, or there are more than [`MAX_ROWS`].
pub async fn cells(
    clickhouse: &ClickHouse,
    project: ProjectId,
    question: Question<'_>,
    steps: Steps,
) -> Result<ByMeasure, StoreError> {
    let mut found = cells_of_each(clickhouse, project, &[question], steps).await?;
    Ok(found.pop().unwrap_or_default())
}

/// Cells for each question, in their order, with one look at the requests.
///
/// # Errors
/// As [`cells`] for all of them together.
pub async fn cells_of_each(
    clickhouse: &ClickHouse,
    project: ProjectId,
    questions: &[Question<'_>],
    steps: Steps,
) -> Result<Vec<ByMeasure>, StoreError> {
    let Some(from) = questions.iter().map(|question| question.from).min() else {
        return Ok(Vec::new());
    };
    let (conditions, compiled) = compile_each(questions.iter().map(|question| question.filter));
    let measures = |question: &Question<'_>| -> Vec<&'static str> {
        question.measures.iter().map(|it| it.as_str()).collect()
    };
    let begins = questions
        .iter()
        .map(|question| question.from.unix_nanos())
        .collect::<Vec<_>>();
    let step_ns = steps.step_s.saturating_mul(1_000_000_000);
    let query = clickhouse
        .read(&with_each(&conditions))
        .param("project_id", project.to_string())
        .param("from_hour", hour(from).saturating_sub(1))
        .param("to_hour", hour(steps.to))
        .param("from_ns", from.unix_nanos())
        .param("to_ns", steps.to.unix_nanos())
        .param("begins_ns", begins)
        .param("step_ns", i64::try_from(step_ns).unwrap_or(i64::MAX))
        .param(
            "measures",
            questions.iter().map(measures).collect::<Vec<_>>(),
        )
        .param(
            "dimensions",
            questions.iter().map(|it| it.dimensions).collect::<Vec<_>>(),
        )
        .param("limit", MAX_ROWS + 1);
    let rows = with_params(query, &compiled).rows::<CellRow>().await?;
    if rows.len() > MAX_ROWS as usize {
        let message = format!("more than {MAX_ROWS} steps, groups and measures");
        return Err(StoreError::TooLarge(message));
    }
    let mut found: Vec<ByMeasure> = questions.iter().map(|_| ByMeasure::new()).collect();
    for row in rows {
        row.put(questions, &mut found);
    }
    Ok(found)
}

/// Puts the condition of each question into the list that the file leaves for them.
fn with_each(conditions: &[String]) -> String {
    // What is unknown does not hold.
    let known = |condition: &String| format!("ifNull(({condition}), 0)");
    let list = conditions.iter().map(known).collect::<Vec<_>>().join(", ");
    SQL.replace("/* conditions */ 1", &list)
}

impl CellRow {
    fn put(self, questions: &[Question<'_>], found: &mut [ByMeasure]) {
        let index = (self.question as usize).wrapping_sub(1);
        let (Some(question), Some(found)) = (questions.get(index), found.get_mut(index)) else {
            return;
        };
        let Some(measure) = RequestMeasure::from_name(&self.measure) else {
            return;
        };
        let cell = Cell {
            known: self.known,
            sum: self.total,
            min: self.least,
            max: self.greatest,
            sketch: self.sketch.0.into_iter().zip(self.sketch.1).collect(),
        };
        let named = question.dimensions.iter().cloned().zip(self.groups);
        let cells = found.entry(measure).or_default();
        cells.add(Group::of(named), self.step, &cell);
    }
}
