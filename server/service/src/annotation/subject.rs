//! What is judged, with its context: what was said in the same session before.

use domain::annotation::ObjectKind;
use domain::filter::{Column, Condition, Filter, Operator};
use domain::page::Limit;
use domain::span::SpanKind;
use domain::trace::{TraceSummary, TraceView};
use domain::{Fault, Span, SpanId, TraceId};
use store_clickhouse::traces as stored;

use crate::app::App;
use crate::scope::ProjectScope;
use crate::{spans, traces};

/// Spans of a trace that are asked for content.
const ASKED: usize = 50;
/// Turns of a session that are shown.
const TURNS: u32 = 50;

/// What is judged.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A span, or the one that speaks for its trace, with the turns of its session before it, the oldest first.
    Said {
        /// The span.
        span: Box<Span>,
        /// Its trace; `None` while its summary cannot be told.
        trace: Option<Box<TraceSummary>>,
        /// What came before.
        before: Vec<TraceSummary>,
    },
    /// A session, the oldest turn first.
    Session(Vec<TraceSummary>),
    /// It has not come, or was deleted.
    Missing,
}

/// Reads what is judged.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn read(
    app: &App,
    scope: &ProjectScope,
    (kind, id): (ObjectKind, &str),
) -> Result<Subject, Fault> {
    match kind {
        ObjectKind::Session => {
            let turns = turns(app, scope, id, &Filter::default()).await?;
            Ok(match turns.is_empty() {
                true => Subject::Missing,
                false => Subject::Session(turns),
            })
        }
        ObjectKind::Observation => {
            let Ok(span) = SpanId::from_text(id) else {
                return Ok(Subject::Missing);
            };
            match spans::find(app, scope, &span).await? {
                Some(span) => {
                    let trace = summary(app, scope, &span.trace_id).await?;
                    said(app, scope, span, trace).await
                }
                None => Ok(Subject::Missing),
            }
        }
        ObjectKind::Trace => {
            let Ok(trace_id) = TraceId::from_text(id) else {
                return Ok(Subject::Missing);
            };
            let Some(trace) = traces::open(app, scope, &trace_id).await? else {
                return Ok(Subject::Missing);
            };
            let asked = speakers(&trace);
            match spans::first_with_content(app, scope, &trace_id, &asked).await? {
                Some(span) => said(app, scope, span, Some(trace.summary.clone())).await,
                None => Ok(Subject::Missing),
            }
        }
    }
}

/// Spans that may speak for a trace: its first, then model calls, then the others.
fn speakers(trace: &TraceView) -> Vec<SpanId> {
    let mut all = trace.tree.rows.iter().map(|row| &row.span);
    let first = all.next();
    let (calls, others): (Vec<_>, Vec<_>) = all.partition(|span| span.kind == SpanKind::Generation);
    let asked = first.into_iter().chain(calls).chain(others).take(ASKED);
    asked.map(|span| span.span_id.clone()).collect()
}

async fn said(
    app: &App,
    scope: &ProjectScope,
    span: Span,
    trace: Option<TraceSummary>,
) -> Result<Subject, Fault> {
    let session = trace.as_ref().and_then(|trace| trace.session_id.clone());
    let before = match (&session, &trace) {
        (Some(session), Some(trace)) => {
            let earlier = Filter {
                to: Some(trace.start),
                ..Filter::default()
            };
            turns(app, scope, session, &earlier).await?
        }
        _ => Vec::new(),
    };
    Ok(Subject::Said {
        span: Box::new(span),
        trace: trace.map(Box::new),
        before,
    })
}

async fn summary(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
) -> Result<Option<TraceSummary>, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let Some(extent) = stored::extent(clickhouse, project, trace_id).await? else {
        return Ok(None);
    };
    Ok(stored::summary(clickhouse, project, trace_id, extent).await?)
}

/// The last turns of a session that match, the oldest first.
async fn turns(
    app: &App,
    scope: &ProjectScope,
    session: &str,
    filter: &Filter,
) -> Result<Vec<TraceSummary>, Fault> {
    let mut filter = filter.clone();
    filter.conditions.push(Condition {
        column: Column::SessionId,
        operator: Operator::AnyOf,
        values: vec![session.to_owned()],
    });
    let page = traces::list(app, scope, &filter, Limit::new(TURNS)?, None).await?;
    let mut turns = page.data;
    turns.reverse();
    Ok(turns)
}
