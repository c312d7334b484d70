//! Traces: list, density, open, delete.

use std::sync::Arc;
use std::time::Duration;

use domain::agents::Details;
use domain::annotation::ObjectKind;
use domain::comment::CommentedKind;
use domain::filter::Filter;
use domain::page::{Cursor, Limit, Page};
use domain::tenancy::Permission;
use domain::trace::{Density, TraceSummary, TraceView, TreeSpan};
use domain::tree::build_tree;
use domain::{Fault, SpanId, Timestamp, TraceId};
use store_clickhouse::{spans, traces};
use store_postgres::{annotation_items, business_events, comments};
use tokio::sync::broadcast;

use crate::answers::{self, Question};
use crate::app::App;
use crate::media;
use crate::scope::ProjectScope;

/// Traces that match, newest first.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; so for all reads here.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    limit: Limit,
    cursor: Option<&Cursor>,
) -> Result<Page<TraceSummary>, Fault> {
    Ok(traces::list(
        app.clickhouse(),
        scope.project_id(),
        filter,
        (limit, cursor),
    )
    .await?)
}

/// How many traces matched over time, in `columns` equal columns from `from` to `to`; of a large project as it was a
/// moment ago.
///
/// # Errors
/// As [`list`].
pub async fn density(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    columns: u32,
) -> Result<Arc<Density>, Fault> {
    let (clickhouse, project) = (app.clickhouse().clone(), scope.project_id());
    let now = app.clock().now();
    let range = (
        filter.from.unwrap_or(Timestamp::EPOCH),
        filter.to.unwrap_or(now),
    );
    let unbounded = Filter {
        from: None,
        to: None,
        ..filter.clone()
    };
    let asked = serde_json::to_string(&(&unbounded, columns)).map_err(Fault::internal)?;
    let question = Question::new(app, (project, "density"), range, &asked);
    let filter = filter.clone();
    let find = async move { Ok(traces::density(&clickhouse, project, &filter, columns).await?) };
    answers::ask(app, question, find).await
}

/// A whole trace without content; `None` when the project has no such trace. One that was opened just now and
/// is as it was is not read again. Waits for its turn where the trace is large.
///
/// # Errors
/// As [`list`]; `unavailable` when many large traces are being read.
pub async fn open(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
) -> Result<Option<Arc<TraceView>>, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let Some(extent) = traces::extent(clickhouse, project, trace_id).await? else {
        return Ok(None);
    };
    let mark = spans::mark(clickhouse, project, trace_id, extent).await?;
    let place = (project, trace_id);
    if let Some(known) = app.opened().get(place, mark) {
        return Ok(Some(known));
    }
    let _turn = app.reads().turn(project, mark.rows).await?;
    // Whoever had the turn before may have read it.
    if let Some(known) = app.opened().get(place, mark) {
        return Ok(Some(known));
    }
    let (summary, tree_spans) = tokio::join!(
        traces::summary(clickhouse, project, trace_id, extent),
        spans::by_trace(clickhouse, project, trace_id, extent),
    );
    let Some(summary) = summary? else {
        return Ok(None);
    };
    let view = Arc::new(put_together(summary, tree_spans?).await?);
    app.opened().put(place, mark, &view);
    Ok(Some(view))
}

/// Traces of more spans are put together where that holds nobody up.
const SMALL: usize = 2_000;

async fn put_together(summary: TraceSummary, spans: Vec<TreeSpan>) -> Result<TraceView, Fault> {
    let is_small = spans.len() <= SMALL;
    let work = move || {
        let summary = summary.with_totals(spans.iter());
        let view = TraceView::new(summary, build_tree(spans));
        view.drawn();
        view
    };
    if is_small {
        return Ok(work());
    }
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(Fault::internal)
}

/// Steps whose details are read.
const MOST_DETAILS: u32 = 20_000;

/// What graphs of a trace need of its steps beside its tree; of a very large one only of some.
///
/// # Errors
/// As [`list`].
pub async fn details(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
) -> Result<Details, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    match traces::extent(clickhouse, project, trace_id).await? {
        Some(extent) => {
            let steps = (trace_id, MOST_DETAILS);
            Ok(spans::details(clickhouse, project, steps, extent).await?)
        }
        None => Ok(Details::new()),
    }
}

/// Whether the project has that trace.
///
/// # Errors
/// As [`list`].
pub async fn exists(app: &App, scope: &ProjectScope, trace_id: &TraceId) -> Result<bool, Fault> {
    let extent = traces::extent(app.clickhouse(), scope.project_id(), trace_id).await?;
    Ok(extent.is_some())
}

/// The one trace whose id begins with some text; `None` where there is none or more than one.
///
/// # Errors
/// As [`list`].
pub async fn find_by_prefix(
    app: &App,
    scope: &ProjectScope,
    prefix: &str,
) -> Result<Option<TraceId>, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let mut found = traces::prefixed(clickhouse, project, prefix, 2).await?;
    let only = found.pop().filter(|_| found.is_empty());
    Ok(only)
}

/// The traces just before and after that start in the list (previous = newer).
///
/// # Errors
/// As [`list`].
pub async fn neighbours(
    app: &App,
    scope: &ProjectScope,
    summary: &TraceSummary,
) -> Result<(Option<TraceId>, Option<TraceId>), Fault> {
    let place = Cursor {
        start: summary.start,
        id: summary.trace_id.to_string(),
    };
    Ok(traces::neighbours(app.clickhouse(), scope.project_id(), &place).await?)
}

/// How long a deletion waits for spans that were received before it but are not stored yet.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);

/// Span ids that Postgres is asked for at once.
const IDS_AT_ONCE: usize = 10_000;

/// Deletes a trace with its log records, the attachments that no other one names, comments on it and its
/// spans, and what of them waits to be judged. What of it was received before is deleted too, though it may
/// still be in the spool; spans that are sent later make the trace anew.
///
/// # Errors
/// `forbidden` without the right, `not_found` when the project has no such trace.
pub async fn delete(app: &App, scope: &ProjectScope, trace_id: &TraceId) -> Result<(), Fault> {
    match delete_all(app, scope, std::slice::from_ref(trace_id)).await? {
        0 => Err(Fault::not_found(format!("trace {trace_id} does not exist"))),
        _ => Ok(()),
    }
}

/// Deletes traces, and tells how many of them there were; needs `ChangeTelemetry`. Much cheaper than one
/// after the other.
///
/// # Errors
/// `forbidden`; `unavailable` or `timeout` without the stores; some of them may be gone then, and
/// repeating it is safe.
pub async fn delete_all(
    app: &App,
    scope: &ProjectScope,
    trace_ids: &[TraceId],
) -> Result<usize, Fault> {
    scope.require(Permission::ChangeTelemetry)?;
    if !app.spool().wait_until_drained(DRAIN_PATIENCE).await {
        return Err(Fault::unavailable(
            "the telemetry store is behind; try again in a moment",
        ));
    }
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let asked: Vec<&TraceId> = trace_ids.iter().collect();
    let extents = traces::extents(clickhouse, project, &asked).await?;
    let found: Vec<&TraceId> = extents.keys().collect();
    for (trace_id, extent) in &extents {
        let span_ids = spans::ids(clickhouse, project, trace_id, *extent).await?;
        // First: whoever has to try again still finds the trace.
        media::forget_trace(app, scope, trace_id).await?;
        forget_remarks(app, scope, trace_id, &span_ids).await?;
    }
    if !found.is_empty() {
        traces::delete(clickhouse, project, &found).await?;
        app.opened().forget(project, &found);
        app.answers().forget(project);
        app.hub().note_change(project);
    }
    Ok(found.len())
}

/// Deletes comments on a trace and its spans, what of them waits to be judged, and business events that name it; what
/// was judged stays.
async fn forget_remarks(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
    span_ids: &[SpanId],
) -> Result<(), Fault> {
    let project = scope.project_id();
    let mut tx = app.postgres().begin().await?;
    let ids = [trace_id.to_string()];
    comments::forget(&mut tx, project, CommentedKind::Trace, &ids).await?;
    annotation_items::forget(&mut tx, project, ObjectKind::Trace, &ids).await?;
    business_events::forget(&mut tx, project, &ids).await?;
    for some in span_ids.chunks(IDS_AT_ONCE) {
        let ids: Vec<String> = some.iter().map(SpanId::to_string).collect();
        comments::forget(&mut tx, project, CommentedKind::Observation, &ids).await?;
        annotation_items::forget(&mut tx, project, ObjectKind::Observation, &ids).await?;
    }
    Ok(tx.commit().await?)
}

/// Tells when spans of a project have become readable: the newest start among them. Must be called
/// within the async runtime.
pub fn subscribe(app: &App, scope: &ProjectScope) -> broadcast::Receiver<Timestamp> {
    let project = scope.project_id();
    let mut all = app.live().subscribe();
    let (sender, receiver) = broadcast::channel(16);
    tokio::spawn(async move {
        loop {
            let told = tokio::select! {
                told = all.recv() => told,
                () = sender.closed() => return,
            };
            match told {
                Ok((of, newest)) if of == project => {
                    let _gone = sender.send(newest);
                }
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return,
            }
        }
    });
    receiver
}
