//! What was said in some turns of a session, and what was done for it.

use std::collections::HashMap;

use clickhouse::Row;
use domain::session::{MAX_STEPS, Said, Step};
use domain::span::SpanKind;
use domain::{ProjectId, Span, SpanId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::Compiled;
use crate::spans::row::{optional_span_id, some, span_id, timestamp, trace_id};
use crate::spans::whole::whole_that;
use crate::traces::extent::{Extent, extents};

pub(crate) const SQL: &str = include_str!("steps.sql");

/// Span, name, kind, start, end (0: open), whether it failed.
type StepRow = (String, String, String, i64, i64, u8);

#[derive(Row, Deserialize)]
struct StepsRow {
    trace_id: String,
    asked: String,
    answered: String,
    steps: Vec<StepRow>,
    first_error: String,
    models: Vec<String>,
    first_prompt: String,
    first_prompt_version: String,
    first_ttft_ms: Option<f64>,
}

/// What was said in some traces, in the order of the ids; without those that the project does not have.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn said(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_ids: &[&TraceId],
) -> Result<Vec<Said>, StoreError> {
    let known = extents(clickhouse, project, trace_ids).await?;
    let Some(extent) = known.values().copied().reduce(Extent::joined) else {
        return Ok(Vec::new());
    };
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_ids", trace_ids)
        .param("most", MAX_STEPS)
        .rows::<StepsRow>()
        .await?;
    let speakers: Vec<SpanId> = rows
        .iter()
        .flat_map(|row| [&row.asked, &row.answered])
        .filter_map(|id| optional_span_id(id).transpose())
        .collect::<Result<_, _>>()?;
    let mut spoken: HashMap<(TraceId, SpanId), Span> = HashMap::new();
    if !speakers.is_empty() {
        let all = ("1", &Compiled::default(), None);
        let speakers: Vec<&SpanId> = speakers.iter().collect();
        let spans = whole_that(clickhouse, project, (trace_ids, &speakers), (extent, all)).await?;
        let place = |span: &Span| (span.trace_id.clone(), span.span_id.clone());
        spoken.extend(spans.into_iter().map(|span| (place(&span), span)));
    }
    let mut told: HashMap<TraceId, Said> = rows
        .into_iter()
        .map(|row| row.into_said(&spoken))
        .map(|said| said.map(|said| (said.trace_id.clone(), said)))
        .collect::<Result<_, _>>()?;
    Ok(trace_ids.iter().filter_map(|id| told.remove(*id)).collect())
}

impl StepsRow {
    fn into_said(self, spoken: &HashMap<(TraceId, SpanId), Span>) -> Result<Said, StoreError> {
        let id = trace_id(&self.trace_id)?;
        let speaker = |text: &str| -> Result<Option<Span>, StoreError> {
            let span = optional_span_id(text)?;
            Ok(span.and_then(|span| spoken.get(&(id.clone(), span)).cloned()))
        };
        Ok(Said {
            asked: speaker(&self.asked)?,
            answered: speaker(&self.answered)?,
            steps: self.steps.into_iter().map(step).collect::<Result<_, _>>()?,
            error: some(self.first_error),
            models: self.models,
            prompt: some(self.first_prompt).map(|name| (name, self.first_prompt_version)),
            ttft_ms: self.first_ttft_ms,
            trace_id: id,
        })
    }
}

fn step((id, name, kind, start, end, failed): StepRow) -> Result<Step, StoreError> {
    Ok(Step {
        span_id: span_id(&id)?,
        name,
        kind: SpanKind::from_name(&kind).unwrap_or_default(),
        start: timestamp(start),
        end: (end > 0).then(|| timestamp(end)),
        failed: failed != 0,
    })
}
