//! What traces say of themselves.

use std::collections::{BTreeMap, HashMap};

use clickhouse::Row;
use domain::filter::Filter;
use domain::portrait::Portrait;
use domain::{ProjectId, Span, SpanId, TraceId};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::Compiled;
use crate::spans::row::{optional_span_id, span_id, trace_id};
use crate::spans::whole::whole_that;
use crate::traces::extent::{Extent, extent, extents};
use crate::traces::list;

pub(crate) const SQL: &str = include_str!("parts.sql");

#[derive(Row, Deserialize)]
struct PartsRow {
    trace_id: String,
    description: String,
    root: String,
    its_spans: Vec<String>,
    said_of_trace: Vec<(String, String)>,
}

struct Parts {
    description: Option<SpanId>,
    root: Option<SpanId>,
    spans: Vec<SpanId>,
    said_of_trace: BTreeMap<String, String>,
}

/// Portraits of some traces in the order of the ids, without scores and without those traces that the
/// project does not have.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn portraits(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_ids: &[&TraceId],
) -> Result<Vec<Portrait>, StoreError> {
    let known = extents(clickhouse, project, trace_ids).await?;
    let Some(extent) = known.values().copied().reduce(Extent::joined) else {
        return Ok(Vec::new());
    };
    let all = Filter::default();
    let (summaries, parts) = tokio::join!(
        list::some(clickhouse, project, trace_ids, &all),
        parts(clickhouse, project, (trace_ids, extent)),
    );
    let mut parts = parts?;
    let speakers: Vec<&SpanId> = parts.values().flat_map(Parts::speakers).collect();
    let mut spoken: HashMap<(TraceId, SpanId), Span> = HashMap::new();
    if !speakers.is_empty() {
        let judge = ("1", &Compiled::default(), None);
        let ids = (trace_ids, speakers.as_slice());
        let spans = whole_that(clickhouse, project, ids, (extent, judge)).await?;
        let place = |span: &Span| (span.trace_id.clone(), span.span_id.clone());
        spoken.extend(spans.into_iter().map(|span| (place(&span), span)));
    }
    let mut portraits: HashMap<TraceId, Portrait> = HashMap::new();
    for judged in summaries? {
        let id = judged.summary.trace_id.clone();
        let Some(parts) = parts.remove(&id) else {
            continue;
        };
        let mut take = |span: Option<SpanId>| spoken.remove(&(id.clone(), span?));
        let portrait = Portrait {
            summary: judged.summary,
            description: take(parts.description),
            root: take(parts.root),
            metadata_of_spans: parts.said_of_trace,
            spans: parts.spans,
            scores: Vec::new(),
        };
        portraits.insert(id, portrait);
    }
    let in_order = trace_ids.iter().filter_map(|id| portraits.remove(*id));
    Ok(in_order.collect())
}

/// Whether anybody may see a trace; `false` when the project has no such trace.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn is_public(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
) -> Result<bool, StoreError> {
    let Some(extent) = extent(clickhouse, project, trace_id).await? else {
        return Ok(false);
    };
    let summary = list::summary(clickhouse, project, trace_id, extent).await?;
    Ok(summary.is_some_and(|summary| summary.is_public))
}

impl Parts {
    /// Spans that speak for the trace.
    fn speakers(&self) -> impl Iterator<Item = &SpanId> {
        self.description.iter().chain(&self.root)
    }
}

async fn parts(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (trace_ids, extent): (&[&TraceId], Extent),
) -> Result<HashMap<TraceId, Parts>, StoreError> {
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_ids", trace_ids)
        .rows::<PartsRow>()
        .await?;
    let parts = |row: PartsRow| {
        let spans: Result<Vec<SpanId>, StoreError> =
            row.its_spans.iter().map(|id| span_id(id)).collect();
        let parts = Parts {
            description: optional_span_id(&row.description)?,
            root: optional_span_id(&row.root)?,
            spans: spans?,
            // The first by start comes last, and stays.
            said_of_trace: row.said_of_trace.into_iter().collect(),
        };
        Ok((trace_id(&row.trace_id)?, parts))
    };
    rows.into_iter().map(parts).collect()
}
