//! Scrapes all that this server holds, each when it is due. Of several servers one holds a target.
//!
//! Who holds what is asked of Postgres every few seconds, beside the scrapes and never in their way: while Postgres is away, what
//! was held last is scraped on.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::scrape::{Schedule, ScrapeOutcome};
use domain::{Nanos, ProjectId, ScrapeTargetId, Timestamp};
use store_postgres::StoreError;
use store_postgres::scrape_targets::{self, Held};
use tokio::sync::{Mutex as AsyncMutex, Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::scrape;
use super::seen::Seen;
use crate::app::App;
use crate::turns::postgres_is_away;

/// What is looked for.
const WHAT: &str = "targets to scrape";
/// How long a target is held without a sign of life.
const HOLD: Nanos = Nanos::from_seconds(30);
/// Between two signs of life; also how long a change takes to be seen by another server.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Longest that Postgres is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// Targets of one server.
const MOST: i64 = 5_000;
/// Scrapes of one server at once.
const AT_ONCE: usize = 64;
/// Longest sleep, so that a clock that is set does not matter for long.
const SLEEP: Duration = Duration::from_secs(1);

/// What became of scrapes and is not noted yet: the last of each target, with when the target was set.
#[derive(Clone, Default)]
struct Outcomes(Arc<Mutex<HashMap<ScrapeTargetId, (Timestamp, ScrapeOutcome)>>>);

impl Outcomes {
    fn put(&self, held: &Held, outcome: ScrapeOutcome) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.insert(held.target.id, (held.target.updated_at, outcome));
    }

    fn take(&self) -> Vec<(ScrapeTargetId, Timestamp, ScrapeOutcome)> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = waiting.drain();
        all.map(|(id, (updated_at, outcome))| (id, updated_at, outcome))
            .collect()
    }

    /// What could not be noted, unless there is something newer.
    fn put_back(&self, all: Vec<(ScrapeTargetId, Timestamp, ScrapeOutcome)>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, updated_at, outcome) in all {
            waiting.entry(id).or_insert((updated_at, outcome));
        }
    }
}

/// What a look at Postgres gave.
struct Looked {
    held: Vec<Held>,
    /// Those that nobody scrapes any more.
    ended: HashSet<ScrapeTargetId>,
}

/// Scrapes until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    let (holder, outcomes) = (Uuid::now_v7(), Outcomes::default());
    let (tell, looks) = mpsc::channel(1);
    tokio::join!(
        hold(&app, holder, &outcomes, (tell, &stop)),
        scrape_all(&app, &outcomes, (looks, &stop)),
    );
    note(&app, holder, &outcomes).await;
    let released = scrape_targets::release(app.postgres(), holder);
    if let Ok(Err(error)) = tokio::time::timeout(PATIENCE, released).await {
        postgres_is_away(WHAT, &error);
    }
}

/// Asks Postgres what is held, and notes what became of it.
async fn hold(
    app: &App,
    holder: Uuid,
    outcomes: &Outcomes,
    (tell, stop): (mpsc::Sender<Looked>, &CancellationToken),
) {
    let mut known: HashMap<ScrapeTargetId, ProjectId> = HashMap::new();
    while !stop.is_cancelled() {
        note(app, holder, outcomes).await;
        let look = tokio::time::timeout(PATIENCE, look(app, holder, &known));
        match look.await {
            Ok(Ok(looked)) => {
                let held = looked.held.iter();
                known = held.map(|held| (held.target.id, held.project)).collect();
                if tell.send(looked).await.is_err() {
                    return;
                }
            }
            Ok(Err(error)) => postgres_is_away(WHAT, &error),
            Err(_) => {}
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = app.wake_scraping().notified() => {}
            () = stop.cancelled() => {}
        }
    }
}

async fn look(
    app: &App,
    holder: Uuid,
    known: &HashMap<ScrapeTargetId, ProjectId>,
) -> Result<Looked, StoreError> {
    let (db, now) = (app.postgres(), app.clock().now());
    let held = scrape_targets::hold(db, holder, (now, now.plus(HOLD)), MOST).await?;
    let still: HashSet<ScrapeTargetId> = held.iter().map(|held| held.target.id).collect();
    let lost: Vec<_> = known
        .iter()
        .filter(|(id, _)| !still.contains(id))
        .map(|(id, project)| (*project, *id))
        .collect();
    let ended = if lost.is_empty() {
        Vec::new()
    } else {
        scrape_targets::ended(db, &lost).await?
    };
    Ok(Looked {
        held,
        ended: ended.into_iter().collect(),
    })
}

async fn note(app: &App, holder: Uuid, outcomes: &Outcomes) {
    let all = outcomes.take();
    if all.is_empty() {
        return;
    }
    let noted = scrape_targets::note(app.postgres(), holder, &all);
    match tokio::time::timeout(PATIENCE, noted).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            postgres_is_away(WHAT, &error);
            outcomes.put_back(all);
        }
        Err(_) => outcomes.put_back(all),
    }
}

/// A target as it is scraped.
struct Slot {
    held: Arc<Held>,
    schedule: Schedule,
    due: Timestamp,
    /// Held while it is scraped.
    seen: Arc<AsyncMutex<Seen>>,
}

async fn scrape_all(
    app: &App,
    outcomes: &Outcomes,
    (mut looks, stop): (mpsc::Receiver<Looked>, &CancellationToken),
) {
    let mut slots: HashMap<ScrapeTargetId, Slot> = HashMap::new();
    let (mut running, turns) = (JoinSet::new(), Arc::new(Semaphore::new(AT_ONCE)));
    loop {
        let now = app.clock().now();
        for slot in slots.values_mut().filter(|slot| slot.due <= now) {
            slot.due = slot.schedule.next(now);
            running.spawn(scrape_one(app.clone(), slot, outcomes.clone(), &turns));
        }
        let due = slots.values().map(|slot| slot.due).min();
        let wait = due.map_or(SLEEP, |due| Duration::from_nanos((due - now).0).min(SLEEP));
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(wait) => {}
            Some(_) = running.join_next(), if !running.is_empty() => {}
            Some(looked) = looks.recv() => {
                for ended in take_over(&mut slots, looked, now) {
                    let app = app.clone();
                    running.spawn(async move { end(&app, &ended).await });
                }
            }
        }
    }
}

/// Takes up what is new or was changed; gives what ends.
fn take_over(
    slots: &mut HashMap<ScrapeTargetId, Slot>,
    looked: Looked,
    now: Timestamp,
) -> Vec<Slot> {
    let mut ended = Vec::new();
    let still: HashSet<ScrapeTargetId> = looked.held.iter().map(|held| held.target.id).collect();
    let lost: Vec<ScrapeTargetId> = slots
        .keys()
        .filter(|id| !still.contains(id))
        .copied()
        .collect();
    for id in lost {
        let slot = slots.remove(&id);
        ended.extend(slot.filter(|_| looked.ended.contains(&id)));
    }
    for held in looked.held {
        let id = held.target.id;
        let set_at = |slot: &Slot| slot.held.target.updated_at;
        if slots.get(&id).map(set_at) == Some(held.target.updated_at) {
            continue;
        }
        let schedule = Schedule::new(held.project, id, held.target.draft.interval_s);
        // Whoever has just set one wants to see it.
        let is_new = held.target.outcome.is_none();
        let slot = Slot {
            held: Arc::new(held),
            schedule,
            due: if is_new { now } else { schedule.next(now) },
            seen: Arc::default(),
        };
        ended.extend(slots.insert(id, slot));
    }
    ended
}

fn scrape_one(
    app: App,
    slot: &Slot,
    outcomes: Outcomes,
    turns: &Arc<Semaphore>,
) -> impl Future<Output = ()> + use<> {
    let (held, seen, turns) = (
        Arc::clone(&slot.held),
        Arc::clone(&slot.seen),
        Arc::clone(turns),
    );
    async move {
        // The scrape before is still under way: this one is left out.
        let Ok(mut seen) = seen.try_lock() else {
            return;
        };
        let Ok(_turn) = turns.acquire().await else {
            return;
        };
        let outcome = scrape::scrape(&app, &held, &mut seen).await;
        outcomes.put(&held, outcome);
    }
}

/// Waits for the scrape that may be under way, and tells the end of what it had.
async fn end(app: &App, slot: &Slot) {
    let seen = slot.seen.lock().await;
    if let Err(fault) = scrape::end(app, &slot.held, &seen).await {
        let cause = std::error::Error::source(&fault);
        tracing::debug!(cause, "the end of series was not kept: {fault}");
    }
}
