//! Walks through a project's calls, hour by hour in the order of the table, and notes where it is. What
//! breaks off goes on from there, on any server: a call that was done already has its cost.

use std::time::Duration;

use domain::cost::RepriceState;
use domain::span::Cost;
use domain::{Fault, Nanos, ProjectId};
use store_clickhouse::spans::{self, Place};
use store_postgres::reprices::{self, Taken};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::prices;
use crate::turns::{Turns, postgres_is_away};

/// What is looked for.
const WHAT: &str = "costs to compute anew";
/// Calls that are read at once.
const CALLS: u32 = 2_000;
/// How long one is held between two notes of how far it is. Where that is not enough another server
/// does the same, which does no harm.
const HOLD: Nanos = Nanos::from_seconds(15);
/// How long until one that failed is tried again.
const REST: Nanos = Nanos::from_seconds(5);
/// How often one is taken up without going on.
const MAX_TRIES: i32 = 100;
/// Between two looks whether there is something to do.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long spans that were received before may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);

/// Prices history anew, whenever somebody asks for it, until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    let turns = Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: Some(app.wake_repricing()),
        stop: &stop,
    };
    let take = || {
        let now = app.clock().now();
        reprices::take(app.postgres(), now, now.plus(HOLD))
    };
    while let Some(taken) = turns.next(take).await {
        work_on(&app, taken, &stop).await;
    }
}

async fn work_on(app: &App, mut taken: Taken, stop: &CancellationToken) {
    let outcome = walk(app, &mut taken, stop).await;
    let now = app.clock().now();
    let held_until = match outcome {
        Ok(()) => now,
        Err(fault) => {
            broke_off(&taken, &fault);
            if taken.tries >= MAX_TRIES {
                taken.reprice.state = RepriceState::Failed;
            }
            now.plus(REST)
        }
    };
    taken.reprice.updated_at = now;
    if let Err(error) = reprices::go_on(app.postgres(), &taken, held_until).await {
        postgres_is_away(WHAT, &error);
    }
}

fn broke_off(taken: &Taken, fault: &Fault) {
    let (id, cause) = (taken.reprice.id, std::error::Error::source(fault));
    tracing::warn!(cause, %id, "computing costs anew broke off: {fault}");
}

/// Goes on until the end, or until the server stops.
async fn walk(app: &App, taken: &mut Taken, stop: &CancellationToken) -> Result<(), Fault> {
    let project = taken.project_id;
    // Somebody may have set a price elsewhere a moment ago, and means it.
    app.prices().forget(project);
    let _drained = app.spool().wait_until_drained(DRAIN_PATIENCE).await;
    let mut place = place_of(taken);
    let filter = taken.reprice.filter.clone();
    let hours = spans::count_by_hour(app.clickhouse(), project, &filter, place.hour).await?;
    if taken.reprice.total.is_none() {
        taken.reprice.total = Some(hours.iter().map(|(_, calls)| calls).sum());
    }
    for (hour, _) in hours {
        if hour != place.hour {
            place = Place {
                hour,
                ..Place::default()
            };
        }
        loop {
            if stop.is_cancelled() {
                return Ok(());
            }
            let calls = spans::priced(app.clickhouse(), project, &filter, (&place, CALLS)).await?;
            let Some(last) = calls.last() else { break };
            place = last.place();
            taken.reprice.changed += price(app, project, &calls).await?;
            taken.reprice.done += calls.len() as u64;
            note(app, taken, &place).await?;
        }
    }
    // Versions of one call were counted each.
    taken.reprice.total = Some(taken.reprice.done);
    taken.reprice.state = RepriceState::Done;
    Ok(())
}

fn place_of(taken: &Taken) -> Place {
    let place = taken.place.as_deref();
    place
        .and_then(|place| serde_json::from_str(place).ok())
        .unwrap_or_default()
}

/// Gives calls of one hour the costs of today; how many have another one now.
async fn price(app: &App, project: ProjectId, calls: &[spans::Call]) -> Result<u64, Fault> {
    let prices = prices::of_project_id(app, project).await;
    let prices = prices.ok_or_else(|| Fault::unavailable("prices cannot be read"))?;
    let today = |call: &spans::Call| -> Option<Cost> { prices.cost_of(&call.span)?.ok() };
    let changed: Vec<_> = calls
        .iter()
        .map(|call| (call, today(call)))
        .filter(|(call, cost)| call.cost() != cost.as_ref())
        .collect();
    spans::reprice(app.clickhouse(), project, &changed).await?;
    Ok(changed.len() as u64)
}

async fn note(app: &App, taken: &mut Taken, place: &Place) -> Result<(), Fault> {
    let now = app.clock().now();
    taken.place = Some(serde_json::to_string(place).map_err(Fault::internal)?);
    taken.tries = 0;
    taken.reprice.updated_at = now;
    let total = taken.reprice.total.unwrap_or(0);
    taken.reprice.total = Some(total.max(taken.reprice.done));
    Ok(reprices::go_on(app.postgres(), taken, now.plus(HOLD)).await?)
}
