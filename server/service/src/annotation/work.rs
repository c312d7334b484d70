//! Puts what filters find into queues. Several servers may do it: one row in Postgres says who has the turn and until
//! when. What breaks off is done again, and puts nothing in twice.

use std::time::Duration;

use domain::annotation::ObjectKind;
use domain::page::Limit;
use domain::tenancy::Role;
use domain::{Fault, Nanos};
use store_postgres::StoreError;
use store_postgres::annotation::fills::{self, Taken};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::fill::{self, Thing};
use crate::app::App;
use crate::scope::{Actor, ProjectScope};
use crate::traces;

/// How long a turn is without a sign of life.
const HOLD: Nanos = Nanos::from_seconds(30);
/// Between two looks for new traces.
const EVERY: Nanos = Nanos::from_seconds(10);
/// How long until one that failed is tried again.
const REST: Nanos = Nanos::from_seconds(30);
/// Between two looks whether something is due.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Traces that begin this long before the last look may still come: they are looked at again.
const LATE: Nanos = Nanos::from_seconds(900);
/// Traces of a page.
const PAGE: u32 = 500;
/// Traces that one turn puts in.
const MOST: u64 = 20_000;
/// How long traces that were received before may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);

/// Fills queues until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let now = app.clock().now();
        match fills::take(app.postgres(), Uuid::now_v7(), (now, now.plus(HOLD))).await {
            Ok(Some(taken)) => work_on(&app, taken, &stop).await,
            Ok(None) => idle(&app, &stop).await,
            Err(error) => {
                postgres_is_away(&error);
                idle(&app, &stop).await;
            }
        }
    }
}

async fn idle(app: &App, stop: &CancellationToken) {
    tokio::select! {
        () = tokio::time::sleep(LOOK_EVERY) => {}
        () = app.wake_fills().notified() => {}
        () = stop.cancelled() => {}
    }
}

fn postgres_is_away(error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::debug!(error, "cannot look for queues to fill");
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
            taken.fill.draft.is_continuous.then(|| now.plus(EVERY))
        }
        Err(fault) => {
            let cause = std::error::Error::source(&fault);
            tracing::warn!(cause, queue = %taken.queue, "filling a queue broke off: {fault}");
            taken.fill.last_error = fault.message;
            Some(now.plus(REST))
        }
    };
    if let Err(error) = fills::note(app.postgres(), &taken, due).await {
        postgres_is_away(&error);
    }
}

/// Puts in what has come since the last look, page by page.
async fn look(app: &App, taken: &mut Taken) -> Result<(), Fault> {
    // Whoever set it may have seen traces that are received and not stored yet.
    let _drained = app.spool().wait_until_drained(DRAIN_PATIENCE).await;
    let scope = ProjectScope::new(taken.project, Actor::Server, Role::Member);
    let began = app.clock().now();
    let mut filter = taken.fill.draft.filter.clone();
    if taken.fill.draft.is_continuous {
        let since = match taken.fill.looked_until {
            Some(until) => Some(until.minus(LATE)),
            None => filter.from,
        };
        filter.from = since.max(filter.from);
        filter.to = None;
    }
    let (mut cursor, mut seen) = (None, 0);
    loop {
        let limit = Limit::new(PAGE)?;
        let page = traces::list(app, &scope, &filter, limit, cursor.as_ref()).await?;
        seen += page.data.len() as u64;
        let things = page.data.iter().map(|trace| Thing {
            id: trace.trace_id.to_string(),
            second: None,
        });
        let things: Vec<Thing> = things.collect();
        if !things.is_empty() {
            let kind = ObjectKind::Trace;
            taken.fill.added += fill::put(app, &scope, taken.queue, (kind, &things)).await?;
            let held = Some(app.clock().now().plus(HOLD));
            fills::note(app.postgres(), taken, held).await?;
        }
        cursor = page.next_cursor;
        if cursor.is_none() || seen >= MOST {
            break;
        }
    }
    taken.fill.looked_until = Some(began);
    Ok(())
}
