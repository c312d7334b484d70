//! A score as it is read.

use clickhouse::Row;
use domain::score::{DataType, Score, ScoreSource, ScoreValue, Target};
use serde::Deserialize;

use crate::error::StoreError;
use crate::spans::row::{optional_span_id, timestamp, trace_id};

#[derive(Row, Deserialize)]
pub(super) struct ScoreRow {
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

impl ScoreRow {
    pub(super) fn into_score(self) -> Result<Score, StoreError> {
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
