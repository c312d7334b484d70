//! Log records: of a trace, and among the events of its spans.

use domain::attr::gen_ai;
use domain::log::{Home, Homes, LogRecord, Requests, attach};
use domain::trace::TreeSpan;
use domain::{Fault, Nanos, Span, SpanId, Timestamp, TraceId, value};
use store_clickhouse::{logs, spans, traces::Extent};

use crate::app::App;
use crate::prices;
use crate::scope::ProjectScope;

/// How far a line of an engine may lie outside of the spans that it tells of: clocks differ, and an engine may say
/// afterwards how a request ended.
const AROUND: Nanos = Nanos::from_seconds(300);

/// The log records of a trace by time, the first ten thousand.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn of_trace(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
) -> Result<Vec<LogRecord>, Fault> {
    Ok(logs::by_trace(app.clickhouse(), scope.project_id(), trace_id).await?)
}

/// Requests of a trace as their engines know them, which `of_engine` says: a span of the engine itself goes before one that
/// only has the answer.
pub(crate) fn requests(of_engine: Vec<(String, SpanId)>, tree: &[TreeSpan]) -> Requests {
    let mut answered: Vec<&TreeSpan> = tree
        .iter()
        .filter(|span| span.response_id.is_some())
        .collect();
    answered.sort_by_key(|span| (span.start, &span.span_id));
    let answered = answered
        .into_iter()
        .filter_map(|span| Some((span.response_id.clone()?, span.span_id.clone())));
    Requests::new(of_engine.into_iter().chain(answered))
}

/// Lines of engines outside of traces that tell of some requests, around a stretch of time.
///
/// # Errors
/// As [`of_trace`].
pub(crate) async fn of_requests(
    app: &App,
    scope: &ProjectScope,
    requests: &Requests,
    (first, last): (Timestamp, Timestamp),
) -> Result<Vec<LogRecord>, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let window = (first.minus(AROUND), last.plus(AROUND));
    let found = logs::by_request(clickhouse, project, &requests.ids(), window).await?;
    let told = found
        .into_iter()
        .filter(|record| requests.span_of(record).is_some());
    Ok(told.collect())
}

/// From the first start to the last end that is known.
pub(crate) fn stretch(tree: &[TreeSpan]) -> Option<(Timestamp, Timestamp)> {
    let first = tree.iter().map(|span| span.start).min()?;
    let last = tree
        .iter()
        .map(|span| span.end.unwrap_or(span.start))
        .max()?;
    Some((first, last))
}

/// Puts records that belong to a span among its events, and what they tell of its call where it does not say it itself:
/// content, usage, model. Its cost follows by the prices that hold now.
pub(crate) async fn join(
    app: &App,
    scope: &ProjectScope,
    span: &mut Span,
    records: Vec<(LogRecord, Home)>,
) {
    let Some(details) = attach(span, records) else {
        return;
    };
    app.complete_call(span, &details);
    if span.cost.is_none()
        && let Some(prices) = prices::of_project(app, scope).await
    {
        prices.complete(std::slice::from_mut(span));
    }
}

/// Puts those of a trace's records that belong to one span among its events, as a join with the
/// whole trace would. The other spans are only looked for when there is a record that does not name
/// this one.
pub(crate) async fn attach_to(
    app: &App,
    scope: &ProjectScope,
    (span, extent): (&mut Span, Extent),
    records: Vec<LogRecord>,
) -> Result<(), Fault> {
    let (mine, mut others): (Vec<_>, Vec<_>) = records
        .into_iter()
        .partition(|record| record.span_id.as_ref() == Some(&span.span_id));
    let named = Home::Named(span.span_id.clone());
    let mut mine: Vec<(LogRecord, Home)> = mine
        .into_iter()
        .map(|record| (record, named.clone()))
        .collect();
    let own = own_requests(span);
    let stretch = (span.start, span.end.unwrap_or(span.start));
    others.extend(of_requests(app, scope, &own, stretch).await?);
    if !others.is_empty() {
        let (clickhouse, project) = (app.clickhouse(), scope.project_id());
        let (tree, of_engine) = tokio::try_join!(
            spans::by_trace(clickhouse, project, &span.trace_id, extent),
            spans::request_ids(clickhouse, project, &span.trace_id, extent),
        )?;
        let requests = requests(of_engine, &tree);
        let homes = Homes::of_tree(&tree).with_requests(requests);
        mine.extend(others.into_iter().filter_map(|record| {
            let home = homes.home(&record)?;
            (*home.span_id() == span.span_id).then_some((record, home))
        }));
    }
    join(app, scope, span, mine).await;
    Ok(())
}

/// The ids under which the request of one span may be known.
fn own_requests(span: &Span) -> Requests {
    let of_engine = value::get(&span.attributes, gen_ai::REQUEST_ID);
    let of_engine = of_engine.and_then(|id| id.as_str()).map(str::to_owned);
    let ids = of_engine.into_iter().chain(span.response_id.clone());
    Requests::new(ids.map(|id| (id, span.span_id.clone())))
}
