//! Puts what filters find into queues and datasets. Several servers may do it: one row in Postgres says who has the turn
//! and until when. What breaks off is done again, and puts nothing in twice.

use std::time::Duration;

use domain::annotation::ObjectKind;
use domain::fill::{FillTarget, Takes, is_sampled};
use domain::filter::Filter;
use domain::page::Limit;
use domain::tenancy::Role;
use domain::{AnnotationQueueId, Code, Fault, Nanos};
use futures_util::future::join_all;
use store_postgres::fills::{self, Taken};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::items;
use crate::annotation::fill::{self, Thing};
use crate::app::App;
use crate::scope::{Actor, ProjectScope};
use crate::traces;
use crate::turns::{Turns, postgres_is_away};

/// What is looked for.
const WHAT: &str = "what is to be filled";
/// How long a turn is without a sign of life.
const HOLD: Nanos = Nanos::from_seconds(30);
/// Between two looks for new traces.
const EVERY: Nanos = Nanos::from_seconds(10);
/// The same for spans, which are read whole.
const EVERY_OF_SPANS: Nanos = Nanos::from_seconds(30);
/// How long until one that failed is tried again.
const REST: Nanos = Nanos::from_seconds(30);
/// Between two looks whether something is due.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// What begins this long before the last look may still come: it is looked at again.
const LATE: Nanos = Nanos::from_seconds(900);
/// Traces of a page.
pub(super) const PAGE: u32 = 500;
/// What one turn looks at.
pub(super) const MOST: u64 = 20_000;
/// How long what was received before may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);
/// Filters that one server works on at once: a long one does not keep the others waiting.
const WORKERS: usize = 3;

/// Fills queues and datasets until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    join_all((0..WORKERS).map(|_| work(&app, &stop))).await;
}

async fn work(app: &App, stop: &CancellationToken) {
    let turns = Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: Some(app.wake_fills()),
        stop,
    };
    let take = || {
        let now = app.clock().now();
        fills::take(app.postgres(), Uuid::now_v7(), (now, now.plus(HOLD)))
    };
    while let Some(taken) = turns.next(take).await {
        work_on(app, taken, stop).await;
    }
}

async fn work_on(app: &App, mut taken: Taken, stop: &CancellationToken) {
    let outcome = tokio::select! {
        outcome = look(app, &mut taken) => outcome,
        () = stop.cancelled() => return,
    };
    let now = app.clock().now();
    let due = match outcome {
        Ok(()) => {
            taken.fill.last_error = String::new();
            let every = match taken.fill.draft.takes {
                Takes::Traces => EVERY,
                Takes::Spans => EVERY_OF_SPANS,
            };
            taken.fill.draft.is_continuous.then(|| now.plus(every))
        }
        Err(fault) => {
            let cause = std::error::Error::source(&fault);
            let what = taken.target;
            tracing::warn!(cause, ?what, "filling broke off: {fault}");
            taken.fill.last_error = fault.message;
            Some(now.plus(REST))
        }
    };
    if let Err(error) = fills::note(app.postgres(), &taken, due).await {
        postgres_is_away(WHAT, &error);
    }
}

/// Puts in what has come since the last look, page by page.
async fn look(app: &App, taken: &mut Taken) -> Result<(), Fault> {
    // Whoever set it may have seen what is received and not stored yet.
    let _drained = app.spool().wait_until_drained(DRAIN_PATIENCE).await;
    let scope = ProjectScope::new(taken.project, Actor::Server, Role::Member);
    let began = app.clock().now();
    let filter = filter_of(taken);
    match taken.target {
        FillTarget::Queue(queue) => fill_queue(app, &scope, taken, (queue, &filter)).await?,
        FillTarget::Dataset(dataset) => {
            items::fill_dataset(app, &scope, taken, (dataset, &filter)).await?;
        }
    }
    taken.fill.looked_until = Some(began);
    Ok(())
}

/// What is looked for now.
fn filter_of(taken: &Taken) -> Filter {
    let mut filter = taken.fill.draft.filter.clone();
    if taken.fill.draft.is_continuous {
        let since = match taken.fill.looked_until {
            Some(until) => Some(until.minus(LATE)),
            None => filter.from,
        };
        filter.from = since.max(filter.from);
        filter.to = None;
    }
    filter
}

async fn fill_queue(
    app: &App,
    scope: &ProjectScope,
    taken: &mut Taken,
    (queue, filter): (AnnotationQueueId, &Filter),
) -> Result<(), Fault> {
    let (mut cursor, mut seen) = (None, 0);
    loop {
        let limit = Limit::new(PAGE)?;
        let page = traces::list(app, scope, filter, limit, cursor.as_ref()).await?;
        seen += page.data.len() as u64;
        let share = taken.fill.draft.share;
        let sampled = page
            .data
            .iter()
            .filter(|trace| is_sampled(taken.target, trace.trace_id.as_str(), share));
        let things: Vec<Thing> = sampled
            .map(|trace| Thing {
                id: trace.trace_id.to_string(),
                second: None,
            })
            .collect();
        if !things.is_empty() {
            let kind = ObjectKind::Trace;
            taken.fill.added += fill::put(app, scope, queue, (kind, &things)).await?;
        }
        hold(app, taken).await?;
        cursor = page.next_cursor;
        if cursor.is_none() || seen >= MOST {
            return Ok(());
        }
    }
}

/// A sign of life; it ends the work where another server has the turn, or somebody has set it anew.
///
/// # Errors
/// `conflict` when it is somebody else's; `unavailable` without Postgres.
pub(super) async fn hold(app: &App, taken: &Taken) -> Result<(), Fault> {
    let until = Some(app.clock().now().plus(HOLD));
    match fills::note(app.postgres(), taken, until).await? {
        true => Ok(()),
        false => Err(Fault::new(Code::Conflict, "another turn has it")),
    }
}
