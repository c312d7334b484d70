//! Log records: of a trace, and among the events of its spans.

use domain::log::{Home, Homes, LogRecord, attach};
use domain::{Fault, Span, TraceId};
use store_clickhouse::{logs, spans, traces::Extent};

use crate::app::App;
use crate::scope::ProjectScope;

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

/// Puts those of a trace's records that belong to one span among its events, as a join with the
/// whole trace would. The other spans are only looked for when there is a record that does not name
/// this one.
pub(crate) async fn attach_to(
    app: &App,
    scope: &ProjectScope,
    (span, extent): (&mut Span, Extent),
    records: Vec<LogRecord>,
) -> Result<(), Fault> {
    let (mine, others): (Vec<_>, Vec<_>) = records
        .into_iter()
        .partition(|record| record.span_id.as_ref() == Some(&span.span_id));
    let named = Home::Named(span.span_id.clone());
    let mut mine: Vec<(LogRecord, Home)> = mine
        .into_iter()
        .map(|record| (record, named.clone()))
        .collect();
    if !others.is_empty() {
        let (clickhouse, project) = (app.clickhouse(), scope.project_id());
        let tree = spans::by_trace(clickhouse, project, &span.trace_id, extent).await?;
        let homes = Homes::of_tree(&tree);
        mine.extend(others.into_iter().filter_map(|record| {
            let home = homes.home(&record)?;
            (*home.span_id() == span.span_id).then_some((record, home))
        }));
    }
    attach(span, mine);
    Ok(())
}
