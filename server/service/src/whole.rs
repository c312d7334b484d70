//! A whole trace with the content of all its spans, however large it is.

use std::collections::HashMap;
use std::sync::Arc;

use domain::billing::{Call, counted};
use domain::log::{Home, Homes, LogRecord};
use domain::portrait::Portrait;
use domain::score::Judgements;
use domain::trace::TraceSummary;
use domain::tree::{Place, Tree, build_tree};
use domain::{Fault, Span, SpanId, Timestamp, TraceId};
use store_clickhouse::{spans, traces};

use crate::app::App;
use crate::reads::Turn;
use crate::scope::ProjectScope;
use crate::{logs, scores};

/// A trace whose spans are read one by one.
pub struct WholeTrace {
    /// Its row in the list.
    pub summary: TraceSummary,
    /// Its spans in the order in which they are drawn.
    pub outline: Vec<Node>,
    /// What it says of itself.
    pub portrait: Portrait,
    /// The span that speaks for it: the first root, else the first span.
    pub speaker: SpanId,
    /// Its scores, and those of its spans.
    pub judgements: Arc<Judgements>,
    /// Its spans, whole.
    pub spans: WholeSpans,
}

/// Where a span stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The span.
    pub span_id: SpanId,
    /// Steps below the top; 0 at the top.
    pub depth: u32,
    /// Why it stands there.
    pub place: Place,
    /// Whether its usage and cost count towards the totals.
    pub counts: bool,
}

/// Whole spans with their log records and what scores say of their quality, in no order.
pub struct WholeSpans {
    app: App,
    scope: ProjectScope,
    stream: spans::SpanStream,
    judgements: Arc<Judgements>,
    records: HashMap<SpanId, Vec<(LogRecord, Home)>>,
    turn: Turn,
}

impl WholeSpans {
    /// The next span; `None` after the last. A span may come that the outline does not have: it
    /// arrived just now.
    ///
    /// # Errors
    /// `unavailable` or `timeout` when ClickHouse is away or takes too long.
    pub async fn next(&mut self) -> Result<Option<Span>, Fault> {
        let mut next = self.stream.next().await?;
        if let Some(span) = &mut next {
            let records = self.records.remove(&span.span_id).unwrap_or_default();
            logs::join(&self.app, &self.scope, span, records).await;
            self.judgements.judge(span);
        }
        Ok(next)
    }

    /// What keeps others from reading as much at the same time: to be held as long as anything of
    /// the trace is in memory.
    pub fn into_turn(self) -> Turn {
        self.turn
    }
}

/// Opens a trace; `None` when the project has no such trace. Waits for its turn where the trace is
/// large.
///
/// # Errors
/// `unavailable` when many large traces are being read; `unavailable` or `timeout` when ClickHouse is
/// away or takes too long.
pub async fn open(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
) -> Result<Option<WholeTrace>, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let Some(extent) = traces::extent(clickhouse, project, trace_id).await? else {
        return Ok(None);
    };
    let mark = spans::mark(clickhouse, project, trace_id, extent).await?;
    let turn = app.reads().turn(project, mark.rows).await?;
    // Before the spans, not beside them: a span that is summed up is then among them, and one that
    // arrives in between is too many in the tree rather than too few.
    let summary = traces::summary(clickhouse, project, trace_id, extent).await?;
    let (portraits, tree_spans, of_engine, records, judgements) = tokio::join!(
        traces::portraits(clickhouse, project, std::slice::from_ref(&trace_id)),
        spans::by_trace(clickhouse, project, trace_id, extent),
        spans::request_ids(clickhouse, project, trace_id, extent),
        logs::of_trace(app, scope, trace_id),
        scores::of_traces(app, scope, std::slice::from_ref(trace_id)),
    );
    let judgements = Arc::new(judgements?);
    let tree_spans = tree_spans?;
    let requests = logs::requests(of_engine?, &tree_spans);
    let mut records = records?;
    if let Some(stretch) = logs::stretch(&tree_spans) {
        records.extend(logs::of_requests(app, scope, &requests, stretch).await?);
    }
    let homes = Homes::of_tree(&tree_spans).with_requests(requests);
    let records = homes.gather(records);
    let summary = summary.map(|summary| summary.with_totals(tree_spans.iter()));
    let tree = build_tree(tree_spans);
    let portrait = portraits?.pop();
    let (Some(summary), Some(portrait), Some(speaker)) = (summary, portrait, speaker(&tree)) else {
        return Ok(None);
    };
    let stream = spans::of_trace(clickhouse, project, trace_id, extent)?;
    Ok(Some(WholeTrace {
        summary,
        portrait,
        speaker,
        outline: outline(tree),
        judgements: Arc::clone(&judgements),
        spans: WholeSpans {
            app: app.clone(),
            scope: *scope,
            stream,
            judgements,
            records,
            turn,
        },
    }))
}

fn speaker(tree: &Tree) -> Option<SpanId> {
    let rows = || tree.rows.iter();
    let order = |row: &&domain::tree::TreeRow| -> (Timestamp, SpanId) {
        (row.span.start, row.span.span_id.clone())
    };
    let root = rows()
        .filter(|row| row.span.parent_span_id.is_none())
        .min_by_key(order);
    let first = root.or_else(|| rows().min_by_key(order))?;
    Some(first.span.span_id.clone())
}

fn outline(tree: Tree) -> Vec<Node> {
    let calls: Vec<Call<'_>> = tree.rows.iter().map(|row| Call::from(&row.span)).collect();
    let counts = counted(&calls);
    let rows = tree.rows.into_iter().zip(counts);
    rows.map(|(row, counts)| Node {
        span_id: row.span.span_id,
        depth: row.depth,
        place: row.place,
        counts,
    })
    .collect()
}
