//! Spans: list, show.

use std::collections::BTreeSet;

use domain::filter::Filter;
use domain::mapping::Mapping;
use domain::page::{Cursor, Limit, Page};
use domain::score::Judgements;
use domain::{Fault, Span, SpanId, TraceId};
use store_clickhouse::{spans, traces};

use crate::app::App;
use crate::reads::Turn;
use crate::scope::ProjectScope;
use crate::{logs, scores};

/// One span, whole, with the log records that belong to it; `None` when the project has no such span.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; so for all reads here.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
    span_id: &SpanId,
) -> Result<Option<Span>, Fault> {
    first_with_content(app, scope, trace_id, std::slice::from_ref(span_id)).await
}

/// A span by its id alone, whole: of several traces with that id in the newest. `None` when the
/// project has no such span.
///
/// # Errors
/// As [`show`].
pub async fn find(
    app: &App,
    scope: &ProjectScope,
    span_id: &SpanId,
) -> Result<Option<Span>, Fault> {
    let trace = spans::locate(app.clickhouse(), scope.project_id(), span_id).await?;
    match trace {
        Some(trace_id) => show(app, scope, &trace_id, span_id).await,
        None => Ok(None),
    }
}

/// How a span was read.
pub fn explain(app: &App, span: &Span) -> Mapping {
    domain::mapping::explain(span, app.catalogue())
}

/// The first of some spans of a trace that carries input, output or an error; the first of all where
/// none does.
///
/// # Errors
/// As [`show`].
pub async fn first_with_content(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
    candidates: &[SpanId],
) -> Result<Option<Span>, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let Some(extent) = traces::extent(clickhouse, project, trace_id).await? else {
        return Ok(None);
    };
    let ids: Vec<&SpanId> = candidates.iter().collect();
    let (found, records) = tokio::join!(
        spans::some(clickhouse, project, (trace_id, &ids), extent),
        logs::of_trace(app, scope, trace_id),
    );
    let records = records?;
    let mut first = None;
    for mut span in found? {
        logs::attach_to(app, scope, (&mut span, extent), records.clone()).await?;
        if says_something(&span) {
            return Ok(Some(span));
        }
        first = first.or(Some(span));
    }
    Ok(first)
}

fn says_something(span: &Span) -> bool {
    span.input.is_some() || span.output.is_some() || span.error.is_some()
}

/// Waits for the turn of a list of whole spans.
///
/// # Errors
/// `unavailable` when many large reads run.
pub async fn turn(app: &App, scope: &ProjectScope, limit: Limit) -> Result<Turn, Fault> {
    let rows = u64::from(limit.rows());
    app.reads().turn(scope.project_id(), rows).await
}

/// Spans that match, newest first, whole, and the scores of their traces.
///
/// # Errors
/// As [`show`]; `invalid` for a cursor of another list.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    limit: Limit,
    cursor: Option<&Cursor>,
) -> Result<(Page<Span>, Judgements), Fault> {
    if cursor.is_some_and(|cursor| !spans::is_ours(cursor)) {
        return Err(Fault::invalid("cursor: it is not one that this list gave").on_field("cursor"));
    }
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let mut page = spans::list(clickhouse, project, filter, (limit, cursor)).await?;
    let ids = page.data.iter().map(|span| span.trace_id.clone());
    let traces: BTreeSet<TraceId> = ids.collect();
    let traces = Vec::from_iter(traces);
    let judgements = scores::of_traces(app, scope, &traces).await?;
    for span in &mut page.data {
        judgements.judge(span);
    }
    Ok((page, judgements))
}
