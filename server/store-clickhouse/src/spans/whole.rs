//! Whole spans.

use domain::{ProjectId, Span, SpanId, TraceId};

use crate::client::{ClickHouse, Read, Rows};
use crate::error::StoreError;
use crate::filter::{Compiled, with_conditions, with_params};
use crate::spans::row::SpanRow;
use crate::traces::extent::{Extent, extents};

pub(crate) const SQL: &str = include_str!("whole.sql");

/// Those of a trace's spans that have one of the ids, in the order of the ids; the trace lies within
/// an extent.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn some(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (trace_id, span_ids): (&TraceId, &[&SpanId]),
    extent: Extent,
) -> Result<Vec<Span>, StoreError> {
    // To the query an empty list means all.
    if span_ids.is_empty() {
        return Ok(Vec::new());
    }
    let all = ("1", &Compiled::default(), None);
    let mut spans = whole_that(clickhouse, project, (&[trace_id], span_ids), (extent, all)).await?;
    spans.sort_by_key(|span| span_ids.iter().position(|id| **id == span.span_id));
    Ok(spans)
}

/// Spans of which trace and id are known, those that are there, by start.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn of_places(
    clickhouse: &ClickHouse,
    project: ProjectId,
    places: &[(&TraceId, &SpanId)],
) -> Result<Vec<Span>, StoreError> {
    let traces: Vec<&TraceId> = places.iter().map(|(trace, _)| *trace).collect();
    let ids: Vec<&SpanId> = places.iter().map(|(_, span)| *span).collect();
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let known = extents(clickhouse, project, &traces).await?;
    let Some(extent) = known.values().copied().reduce(Extent::joined) else {
        return Ok(Vec::new());
    };
    let all = ("1", &Compiled::default(), None);
    let mut spans = whole_that(clickhouse, project, (&traces, &ids), (extent, all)).await?;
    spans.retain(|span| places.contains(&(&span.trace_id, &span.span_id)));
    Ok(spans)
}

/// All spans of a trace that lies within an extent, each once, in no order, one by one.
///
/// # Errors
/// When ClickHouse cannot be asked; later, when it is away or takes too long.
pub fn of_trace(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_id: &TraceId,
    extent: Extent,
) -> Result<SpanStream, StoreError> {
    let all = ("1", &Compiled::default(), None);
    let query = query(clickhouse, project, (&[trace_id], &[]), (extent, all));
    let rows = query.cursor::<SpanRow>()?;
    Ok(SpanStream { rows })
}

/// Whole spans as they are read.
pub struct SpanStream {
    rows: Rows<SpanRow>,
}

impl SpanStream {
    /// The next span; `None` after the last.
    ///
    /// # Errors
    /// When ClickHouse is away or takes too long.
    pub async fn next(&mut self) -> Result<Option<Span>, StoreError> {
        self.rows.next().await?.map(SpanRow::into_span).transpose()
    }
}

/// SQL, its parameters and the least latency, of which the SQL may speak.
type Judge<'a> = (&'a str, &'a Compiled, Option<f64>);

/// The live spans of traces that meet conditions, by start; of all ids where `span_ids` is empty.
pub(crate) async fn whole_that(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (trace_ids, span_ids): (&[&TraceId], &[&SpanId]),
    judge: (Extent, Judge<'_>),
) -> Result<Vec<Span>, StoreError> {
    let query = query(clickhouse, project, (trace_ids, span_ids), judge);
    let rows = query.rows::<SpanRow>().await?;
    let mut spans: Vec<Span> = rows
        .into_iter()
        .map(SpanRow::into_span)
        .collect::<Result<_, _>>()?;
    spans.sort_by(|a, b| {
        (a.start, &a.trace_id, &a.span_id).cmp(&(b.start, &b.trace_id, &b.span_id))
    });
    Ok(spans)
}

fn query(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (trace_ids, span_ids): (&[&TraceId], &[&SpanId]),
    (extent, (conditions, compiled, min_latency_ms)): (Extent, Judge<'_>),
) -> Read {
    let query = clickhouse
        .read(&with_conditions(SQL, conditions))
        .param("project_id", project.to_string())
        .param("from_hour", extent.first_hour())
        .param("to_hour", extent.last_hour())
        .param("trace_ids", trace_ids)
        .param("span_ids", span_ids)
        .param("min_latency_ms", min_latency_ms.unwrap_or(0.0));
    with_params(query, compiled)
}
