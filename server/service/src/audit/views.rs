//! What was seen, on its way into the log: once a person and thing within some minutes, in batches, by nobody's leave to wait.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::Timestamp;
use domain::tenancy::Tenant;
use serde_json::Value;
use store_postgres::StoreError;
use store_postgres::audit::{self, Entry};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{LOST, lost};
use crate::app::App;
use crate::counters::Counter;
use crate::rollback::actor;
use crate::scope::{Actor, ProjectScope};

/// Views that may wait to be written.
const MOST_WAITING: usize = 8_192;
/// Views that are written in one transaction.
const AT_ONCE: usize = 256;
/// How long the same view is the same.
const SAME_FOR: Duration = Duration::from_secs(300);
/// Views that are remembered as the same.
const MOST_SEEN: usize = 50_000;
/// Until what could not be written is tried again.
const REST: Duration = Duration::from_secs(1);

/// What waits, and what was seen a moment ago.
pub(crate) struct Views {
    sender: mpsc::Sender<Waiting>,
    receiver: Mutex<Option<mpsc::Receiver<Waiting>>>,
    seen: Mutex<HashMap<(Tenant, String, String), Instant>>,
}

struct Waiting {
    tenant: Tenant,
    entry: Entry,
    at: Timestamp,
}

impl Default for Views {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        Views {
            sender,
            receiver: Mutex::new(Some(receiver)),
            seen: Mutex::default(),
        }
    }
}

impl Views {
    /// Whether it was not seen within [`SAME_FOR`].
    fn is_new(&self, tenant: Tenant, actor: &str, object: &str, now: Instant) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant, actor.to_owned(), object.to_owned());
        let is_fresh = |at: &Instant| now.duration_since(*at) < SAME_FOR;
        if seen.get(&key).is_some_and(is_fresh) {
            return false;
        }
        if seen.len() >= MOST_SEEN {
            seen.retain(|_, at| is_fresh(at));
            if seen.len() >= MOST_SEEN {
                // Told twice rather than not at all.
                seen.clear();
            }
        }
        seen.insert(key, now);
        true
    }
}

/// Has it written down that somebody saw the content of a thing; returns at once. What the server and nobody in particular
/// reads is not told.
pub fn viewed(app: &App, scope: &ProjectScope, object: &str) {
    if matches!(scope.actor(), Actor::Server | Actor::Anybody) {
        return;
    }
    let (tenant, actor) = (Tenant::Project(scope.project_id()), actor(scope));
    if !app.views().is_new(tenant, &actor, object, Instant::now()) {
        return;
    }
    let entry = Entry {
        actor,
        action: "content.viewed".into(),
        object: object.to_owned(),
        before: Value::Null,
        after: Value::Null,
    };
    queue(app, tenant, entry);
}

/// Has an entry written in a moment; one for which there is no room is counted.
pub(super) fn queue(app: &App, tenant: Tenant, entry: Entry) {
    let at = app.clock().now();
    if app
        .views()
        .sender
        .try_send(Waiting { tenant, entry, at })
        .is_err()
    {
        app.counters().add(Counter::new(LOST), 1);
    }
}

/// Writes what waits until `stop`, and then what is left. Runs once.
pub async fn run(app: App, stop: CancellationToken) {
    let receiver = app.views().receiver.lock();
    let receiver = receiver.unwrap_or_else(PoisonError::into_inner).take();
    let Some(mut receiver) = receiver else { return };
    let mut waiting = Vec::new();
    loop {
        tokio::select! {
            _ = receiver.recv_many(&mut waiting, AT_ONCE) => {}
            () = stop.cancelled() => {
                receiver.close();
                if receiver.recv_many(&mut waiting, AT_ONCE).await == 0 {
                    return;
                }
            }
        }
        while let Err(error) = write(&app, &mut waiting).await {
            if stop.is_cancelled() || !matches!(error, StoreError::Unavailable(_)) {
                lost(&app, &error, waiting.len() as u64);
                waiting.clear();
                break;
            }
            tokio::select! {
                () = tokio::time::sleep(REST) => {}
                () = stop.cancelled() => {}
            }
        }
    }
}

/// Those of one log in one transaction; what was written is gone from `waiting`.
async fn write(app: &App, waiting: &mut Vec<Waiting>) -> Result<(), StoreError> {
    while let Some(tenant) = waiting.first().map(|first| first.tenant) {
        let mut tx = app.postgres().begin().await?;
        for it in waiting.iter().filter(|it| it.tenant == tenant) {
            audit::append_to(&mut tx, tenant, &it.entry, it.at).await?;
        }
        tx.commit().await?;
        waiting.retain(|it| it.tenant != tenant);
    }
    Ok(())
}
