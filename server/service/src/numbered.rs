//! Lists by number, for programs that ask for page 3 of 7. What they hold is whole: a caller takes a turn
//! first ([`crate::spans::turn`]) and keeps it as long as the rows.

use domain::filter::{Column, Condition, Filter, Operator};
use domain::page::{Limit, Slice};
use domain::portrait::Portrait;
use domain::score::Target;
use domain::session::Session;
use domain::trace::{Order, TraceSummary};
use domain::{Fault, Nanos, Span, TraceId};
pub use store_clickhouse::sessions::Wanted as WantedSessions;
use store_clickhouse::{scores, sessions, spans, traces};

use crate::app::App;
use crate::scope::ProjectScope;

/// A slice of the traces that match as a whole, and how many match in all.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; so for all reads here.
pub async fn traces(
    app: &App,
    scope: &ProjectScope,
    (filter, order): (&Filter, Order),
    slice: Slice,
) -> Result<(Vec<Portrait>, u64), Fault> {
    let found = traces::page(app.clickhouse(), scope.project_id(), (filter, order), slice);
    let (ids, total) = found.await?;
    Ok((portraits(app, scope, &ids).await?, total))
}

/// One trace as a whole; `None` when the project has no such trace.
///
/// # Errors
/// As [`traces`].
pub async fn trace(
    app: &App,
    scope: &ProjectScope,
    trace_id: &TraceId,
) -> Result<Option<Portrait>, Fault> {
    let mut portraits = portraits(app, scope, std::slice::from_ref(trace_id)).await?;
    Ok(portraits.pop())
}

/// Some traces as wholes, in the order of the ids; without those that the project does not have.
pub(crate) async fn portraits(
    app: &App,
    scope: &ProjectScope,
    ids: &[TraceId],
) -> Result<Vec<Portrait>, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let borrowed: Vec<&TraceId> = ids.iter().collect();
    let (portraits, scores) = tokio::join!(
        traces::portraits(clickhouse, project, &borrowed),
        scores::of_traces(clickhouse, project, ids),
    );
    let mut portraits = portraits?;
    for score in scores? {
        let Target::Trace { trace_id, .. } = &score.target else {
            continue;
        };
        let mut those = portraits.iter_mut();
        if let Some(of) = those.find(|portrait| portrait.summary.trace_id == *trace_id) {
            of.scores.push(score);
        }
    }
    Ok(portraits)
}

/// A slice of the spans that match, whole and the newest first, and how many match in all.
///
/// # Errors
/// As [`traces`].
pub async fn spans(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    slice: Slice,
) -> Result<(Vec<Span>, u64), Fault> {
    Ok(spans::page(app.clickhouse(), scope.project_id(), filter, slice).await?)
}

/// The traces of some spans summed up, in no order.
///
/// # Errors
/// As [`traces`].
pub async fn summaries(
    app: &App,
    scope: &ProjectScope,
    spans: &[Span],
) -> Result<Vec<TraceSummary>, Fault> {
    let mut ids: Vec<&TraceId> = spans.iter().map(|span| &span.trace_id).collect();
    ids.sort();
    ids.dedup();
    let all = Filter::default();
    let judged = traces::some(app.clickhouse(), scope.project_id(), &ids, &all).await?;
    Ok(judged.into_iter().map(|judged| judged.summary).collect())
}

/// A slice of the sessions that match, the newest first, and how many match in all.
///
/// # Errors
/// As [`traces`].
pub async fn sessions(
    app: &App,
    scope: &ProjectScope,
    wanted: &sessions::Wanted,
    slice: Slice,
) -> Result<(Vec<Session>, u64), Fault> {
    Ok(sessions::page(app.clickhouse(), scope.project_id(), wanted, slice).await?)
}

/// A session with its newest traces, as many as a page may have; `None` when the project has no such
/// session.
///
/// # Errors
/// As [`traces`].
pub async fn session(
    app: &App,
    scope: &ProjectScope,
    id: &str,
) -> Result<Option<(Session, Vec<Portrait>)>, Fault> {
    let wanted = sessions::Wanted {
        ids: vec![id.to_owned()],
        ..sessions::Wanted::default()
    };
    let (mut found, _) = sessions(app, scope, &wanted, Slice::FIRST).await?;
    let Some(session) = found.pop() else {
        return Ok(None);
    };
    let filter = Filter {
        from: Some(session.start.minus(BEFORE)),
        conditions: vec![Condition {
            column: Column::SessionId,
            operator: Operator::AnyOf,
            values: vec![id.to_owned()],
        }],
        ..Filter::default()
    };
    let slice = Slice::new(0, Limit::MAX)?;
    let (portraits, _) = traces(app, scope, (&filter, Order::default()), slice).await?;
    Ok(Some((session, portraits)))
}

/// A session may be named only some time after its trace began.
const BEFORE: Nanos = Nanos::from_seconds(24 * 3600);
