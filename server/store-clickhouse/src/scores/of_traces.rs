//! The scores of some traces.

use clickhouse::Row;
use domain::score::{DataType, Score, ScoreSource, ScoreValue, Target};
use domain::{ProjectId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::{optional_span_id, timestamp, trace_id};

pub(crate) const SQL: &str = include_str!("of_traces.sql");

/// Scores that are read at most, the oldest ones.
const MOST: u32 = 10_000;

#[derive(Row, Deserialize)]
struct ScoreRow {
    trace_id: String,
    score_id: String,
    observation_id: String,
    session_id: String,
    dataset_run_id: String,
    name: String,
    time_ns: i64,
    environment: String,
    source: String,
    data_type: String,
    value: f64,
    words: String,
    comment: String,
    metadata: String,
    config_id: String,
    queue_id: String,
    author_id: String,
    execution_trace_id: String,
}

/// The scores of some traces and of their spans, the oldest first; at most ten thousand.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn of_traces(
    clickhouse: &ClickHouse,
    project: ProjectId,
    traces: &[TraceId],
) -> Result<Vec<Score>, StoreError> {
    if traces.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = traces.iter().map(TraceId::as_str).collect();
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("trace_ids", ids)
        .param("limit", MOST)
        .rows::<ScoreRow>()
        .await?;
    rows.into_iter().map(ScoreRow::into_score).collect()
}

impl ScoreRow {
    fn into_score(self) -> Result<Score, StoreError> {
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let data_type = DataType::from_name(&self.data_type).unwrap_or_default();
        let target = if !self.session_id.is_empty() {
            Target::Session(self.session_id)
        } else if !self.dataset_run_id.is_empty() {
            Target::DatasetRun(self.dataset_run_id)
        } else {
            Target::Trace {
                trace_id: trace_id(&self.trace_id)?,
                observation_id: optional_span_id(&self.observation_id)?,
            }
        };
        Ok(Score {
            id: self.score_id,
            target,
            name: self.name,
            value: ScoreValue::from_parts(data_type, self.value, self.words),
            source: ScoreSource::from_name(&self.source).unwrap_or_default(),
            time: timestamp(self.time_ns),
            environment: self.environment,
            comment: some(self.comment),
            metadata: self.metadata,
            config_id: some(self.config_id),
            queue_id: some(self.queue_id),
            author_id: some(self.author_id),
            execution_trace_id: some(self.execution_trace_id),
        })
    }
}
