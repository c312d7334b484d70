//! The work: what is asked for of one project is done together, since what costs is to rewrite parts, not to find users.
//! Each step may break off and is done again without harm, by any server.

use std::time::Duration;

use domain::deletion::{Deletion, DeletionState, SharedTraces, raise, statement};
use domain::{DeletionId, Fault, Nanos, ProjectId};
use futures_util::future::join_all;
use serde_json::Value;
use store_clickhouse::deletions as telemetry;
use store_postgres::audit::{self, Entry};
use store_postgres::deletions::tombstones::Of;
use store_postgres::deletions::{self, Taken, Things};
use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::certificate::Signer;
use super::tombstones::Hasher;
use super::{erase, find, verify};
use crate::app::App;
use crate::audit::blank_user;
use crate::turns::{Turns, postgres_is_away};

/// What is looked for.
const WHAT: &str = "deletions";
/// Users that are forgotten together.
const AT_ONCE: u32 = 50;
/// How long they are held between two signs of life.
const HOLD: Nanos = Nanos::from_seconds(20);
const SIGN_EVERY: Duration = Duration::from_secs(5);
/// How long until what broke off is taken up again.
const REST: Nanos = Nanos::from_seconds(5);
/// How often something is taken up before it is given up.
const MAX_TRIES: i32 = 100;
/// Between two looks whether there is something to do.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Until a tombstone is known to every server.
const KNOWN_AFTER: Nanos = Nanos::from_seconds(6);
/// How long what was received before may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(30);
/// How long parts that were replaced may take to go.
const PARTS_PATIENCE: Duration = Duration::from_secs(60);
/// How long each of those looks waits for the next.
const PARTS_EVERY: Duration = Duration::from_millis(300);
/// Traces of a user whose late spans are dropped though they do not name the user.
const MOST_TRACES: usize = 10_000;

/// Projects whose users one server forgets at once: a large one does not keep the others waiting.
const WORKERS: usize = 3;
/// Parts are rewritten for one of them at a time.
static PURGING: Mutex<()> = Mutex::const_new(());

/// Forgets users until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    join_all((0..WORKERS).map(|_| work(&app, &stop))).await;
}

async fn work(app: &App, stop: &CancellationToken) {
    let turns = Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: Some(app.wake_deletions()),
        stop,
    };
    let take = || async {
        let now = app.clock().now();
        let taken = deletions::take(app.postgres(), now, now.plus(HOLD), AT_ONCE).await?;
        Ok(Some(taken).filter(|taken| !taken.is_empty()))
    };
    while let Some(taken) = turns.next(take).await {
        work_on(app, taken, stop).await;
    }
}

async fn work_on(app: &App, mut taken: Vec<Taken>, stop: &CancellationToken) {
    let Some(project) = taken.first().map(|it| it.project_id) else {
        return;
    };
    let ids: Vec<DeletionId> = taken.iter().map(|it| it.deletion.id).collect();
    let outcome = tokio::select! {
        outcome = forget(app, project, &mut taken) => outcome,
        () = signs_of_life(app, project, &ids) => Ok(()),
        () = stop.cancelled() => Ok(()),
    };
    let now = app.clock().now();
    let mut held_until = now;
    if let Err(fault) = outcome {
        told(&fault);
        held_until = now.plus(REST);
        note_fault(app, project, &mut taken, &fault).await;
    }
    if let Err(error) = deletions::hold(app.postgres(), project, &ids, held_until).await {
        postgres_is_away(WHAT, &error);
    }
}

fn told(fault: &Fault) {
    let cause = std::error::Error::source(fault);
    tracing::warn!(cause, "forgetting users broke off: {fault}");
}

async fn note_fault(app: &App, project: ProjectId, taken: &mut [Taken], fault: &Fault) {
    let open = taken
        .iter_mut()
        .filter(|it| it.deletion.state != DeletionState::Verified);
    for it in open {
        it.deletion.fault = Some(fault.message.clone());
        if it.tries >= MAX_TRIES {
            it.deletion.state = DeletionState::Failed;
        }
        let _away = deletions::go_on(app.postgres(), project, &it.deletion).await;
    }
}

/// Holds what is worked on; it never ends.
async fn signs_of_life(app: &App, project: ProjectId, ids: &[DeletionId]) {
    loop {
        tokio::time::sleep(SIGN_EVERY).await;
        let until = app.clock().now().plus(HOLD);
        let _away = deletions::hold(app.postgres(), project, ids, until).await;
    }
}

async fn forget(app: &App, project: ProjectId, taken: &mut [Taken]) -> Result<(), Fault> {
    let is_new = |it: &Taken| it.deletion.state != DeletionState::Purging;
    if taken.iter().any(is_new) {
        let newest = taken.iter().map(|it| it.deletion.requested_at).max();
        let known = newest.map_or(app.clock().now(), |at| at.plus(KNOWN_AFTER));
        let wait = known - app.clock().now();
        tokio::time::sleep(Duration::from_nanos(wait.0)).await;
        drain(app).await?;
        find_all(app, project, taken).await?;
        delete_all(app, project, taken).await?;
    }
    purge(app).await?;
    verify_all(app, project, taken).await
}

/// What was received before is stored first, so that it is found.
async fn drain(app: &App) -> Result<(), Fault> {
    match app.spool().wait_until_drained(DRAIN_PATIENCE).await {
        true => Ok(()),
        false => Err(Fault::unavailable("the telemetry store is behind")),
    }
}

/// Finds what there is and writes it down, so that it is known until the end.
async fn find_all(app: &App, project: ProjectId, taken: &mut [Taken]) -> Result<(), Fault> {
    let users: Vec<(&str, SharedTraces)> = taken
        .iter()
        .map(|it| (it.user_id.as_str(), it.deletion.shared_traces))
        .collect();
    let found = find::of_users(app, project, &users).await?;
    for (it, things) in taken.iter_mut().zip(found) {
        let user = it.user_id.as_str();
        let counts = find::counts(app, project, (user, &things)).await?;
        raise(&mut it.deletion.counts, &counts);
        deletions::add(app.postgres(), project, it.deletion.id, &things).await?;
        it.deletion.state = DeletionState::Deleting;
        it.deletion.fault = None;
        deletions::go_on(app.postgres(), project, &it.deletion).await?;
        remember(app, project, &it.deletion, &things).await?;
    }
    Ok(())
}

/// Spans of a trace that went may come late without naming the user.
async fn remember(
    app: &App,
    project: ProjectId,
    deletion: &Deletion,
    things: &Things,
) -> Result<(), Fault> {
    let hasher = Hasher::new(&app.settings().vault, project);
    let newest = things.traces.iter().rev().take(MOST_TRACES);
    let hashes: Vec<_> = newest.map(|id| hasher.trace(id)).collect();
    if hashes.is_empty() {
        return Ok(());
    }
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let times = (now, deletion.tombstone_until);
    deletions::tombstones::set(&mut tx, project, (Of::Trace, &hashes), times, true).await?;
    tx.commit().await?;
    app.tombstones().forget(project);
    Ok(())
}

async fn delete_all(app: &App, project: ProjectId, taken: &mut [Taken]) -> Result<(), Fault> {
    let users: Vec<&str> = taken.iter().map(|it| it.user_id.as_str()).collect();
    let logs = erase::logs(app, project, &users).await?;
    for it in taken.iter_mut() {
        let begun = Instant::now();
        let mut things = deletions::read(app.postgres(), project, it.deletion.id).await?;
        // A filter may have made items of traces meanwhile.
        things
            .items
            .extend(find::items(app, project, &things.traces).await?);
        let user = it.user_id.as_str();
        erase::traces(app, project, &things.traces).await?;
        erase::own_spans(app, project, (user, &things.shared)).await?;
        erase::rest(app, project, (user, &things)).await?;
        let mentions = erase::mentions(app, project, (user, &things)).await?;
        let named = logs.iter().filter(|log| log.0 == user).count();
        let more = [
            ("mentions", mentions),
            ("logs_naming_the_user", named as u64),
        ];
        let more = more.map(|(store, many)| (store.to_owned(), many));
        raise(&mut it.deletion.counts, &more.into_iter().collect());
        it.deletion.state = DeletionState::Purging;
        deletions::go_on(app.postgres(), project, &it.deletion).await?;
        // Others have the machine for as long as this had it.
        tokio::time::sleep(begun.elapsed().min(Duration::from_secs(1))).await;
    }
    Ok(())
}

/// Off the disk: parts are rewritten and the old ones waited for, the file of the spool is written anew.
async fn purge(app: &App) -> Result<(), Fault> {
    let _turn = PURGING.lock().await;
    let clickhouse = app.clickhouse();
    telemetry::purge(clickhouse).await?;
    app.spool().renew().await.map_err(|error| {
        Fault::unavailable("the file of the spool cannot be written anew").because(error)
    })?;
    let (begun, until) = (Instant::now(), app.clock().now().unix_seconds());
    let gone = loop {
        if telemetry::is_off_the_disk(clickhouse, until).await? {
            break true;
        }
        if begun.elapsed() > PARTS_PATIENCE {
            break false;
        }
        tokio::time::sleep(PARTS_EVERY).await;
    };
    telemetry::rest(clickhouse).await?;
    match gone {
        true => Ok(()),
        false => Err(Fault::unavailable(
            "parts that were replaced are still in use",
        )),
    }
}

async fn verify_all(app: &App, project: ProjectId, taken: &mut [Taken]) -> Result<(), Fault> {
    let is_vacuumed = match store_postgres::deletions::vacuum(app.postgres()).await {
        Ok(()) => true,
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "tables were not vacuumed after a deletion");
            false
        }
    };
    let set_aside = app.spool().stats(app.clock().now()).set_aside;
    let proofs = verify::proofs(is_vacuumed, set_aside);
    let signer = Signer::new(&app.settings().vault)?;
    for it in taken.iter_mut() {
        let things = deletions::read(app.postgres(), project, it.deletion.id).await?;
        let left = verify::left(app, project, (&it.user_id, &things)).await?;
        if !left.is_empty() {
            // It came after it was looked for, from another server or by a copy: once more from the beginning.
            let left: Vec<String> = left.into_iter().collect();
            tracing::info!(id = %it.deletion.id, ?left, "something of a deletion is left");
            it.deletion.state = DeletionState::Deleting;
            deletions::go_on(app.postgres(), project, &it.deletion).await?;
            continue;
        }
        let now = app.clock().now();
        let said = statement(project, &it.deletion, now, &proofs);
        it.deletion.certificate = Some(signer.sign(&said));
        it.deletion.verified_at = Some(now);
        it.deletion.state = DeletionState::Verified;
        finish(app, project, &it.deletion, (&it.user_id, &things.sessions)).await?;
    }
    Ok(())
}

async fn finish(
    app: &App,
    project: ProjectId,
    deletion: &Deletion,
    of: (&str, &[String]),
) -> Result<(), Fault> {
    let entry = Entry {
        actor: "server".to_owned(),
        action: "user.deletion_verified".into(),
        object: format!("deletion:{}", deletion.id),
        before: Value::Null,
        after: serde_json::json!({ "counts": deletion.counts }),
    };
    let mut tx = app.postgres().begin().await?;
    deletions::finish(&mut tx, project, deletion).await?;
    deletions::forget(&mut tx, project, deletion.id).await?;
    let at = deletion.verified_at.unwrap_or(deletion.requested_at);
    blank_user(&mut tx, project, of, at).await?;
    audit::append(&mut tx, project, &entry, at).await?;
    Ok(tx.commit().await?)
}
