//! The work: rows get the days of the settings, what hangs on what is past its time goes, then that itself, and then it is
//! looked whether anything was left. Each step may break off and is done again without harm, by any server.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use domain::retention::{RetentionSettings, over_since};
use domain::{Fault, Nanos, ProjectId, Timestamp};
use serde_json::json;
use store_clickhouse::retention as telemetry;
use store_postgres::deletions::holds;
use store_postgres::{audit, retention};
use tokio_util::sync::CancellationToken;

use super::hanging;
use crate::app::App;
use crate::deletions::portions;
use crate::turns::{Turns, postgres_is_away};

/// What is looked for.
const WHAT: &str = "retention";
/// Between two looks at a project.
const EVERY: Nanos = Nanos::from_seconds(6 * 3_600);
/// How long a project is held between two signs of life.
const HOLD: Nanos = Nanos::from_seconds(60);
const SIGN_EVERY: Duration = Duration::from_secs(15);
/// How long until what broke off is taken up again.
const REST: Nanos = Nanos::from_seconds(30);
/// Between two looks whether a project is due.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// How long the engine has for what it does by itself.
const ENGINE_DAYS: u32 = 1;
/// How often the engine is made to: what hangs on spans is told apart once these are gone.
const ROUNDS: usize = 3;
/// How long a change takes to be known to every server.
const KNOWN_AFTER: Duration = Duration::from_secs(6);
/// How long what was received before it may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(30);

/// A project that is looked at, and until when it is held.
struct Held {
    project: ProjectId,
    until: Timestamp,
}

/// Looks after projects until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    let turns = Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: Some(app.wake_retention()),
        stop: &stop,
    };
    let take = || async {
        let now = app.clock().now();
        let until = now.plus(HOLD);
        let project = retention::take(app.postgres(), now, until).await?;
        Ok(project.map(|project| Held { project, until }))
    };
    while let Some(held) = turns.next(take).await {
        work_on(&app, held, &stop).await;
    }
}

async fn work_on(app: &App, mut held: Held, stop: &CancellationToken) {
    let project = held.project;
    let outcome = tokio::select! {
        outcome = look(app, project) => outcome.map(Some),
        () = signs_of_life(app, &mut held) => Ok(None),
        () = stop.cancelled() => Ok(None),
    };
    let now = app.clock().now();
    let noted = match outcome {
        Ok(Some(outcome)) => {
            let times = (held.until, now.plus(EVERY));
            retention::finish(app.postgres(), project, times, (now, &outcome)).await
        }
        // It was set anew, or the server stops: whoever looks next begins again.
        Ok(None) => retention::hold(app.postgres(), project, (held.until, now))
            .await
            .map(|_| ()),
        Err(fault) => {
            told(&fault);
            retention::hold(app.postgres(), project, (held.until, now.plus(REST)))
                .await
                .map(|_| ())
        }
    };
    if let Err(error) = noted {
        postgres_is_away(WHAT, &error);
    }
}

fn told(fault: &Fault) {
    let cause = std::error::Error::source(fault);
    tracing::warn!(
        cause,
        "looking for what is past its time broke off: {fault}"
    );
}

/// Holds what is worked on; it ends when the project was set anew.
async fn signs_of_life(app: &App, held: &mut Held) {
    loop {
        tokio::time::sleep(SIGN_EVERY).await;
        let longer = app.clock().now().plus(HOLD);
        let times = (held.until, longer);
        match retention::hold(app.postgres(), held.project, times).await {
            Ok(true) => held.until = longer,
            Ok(false) => return,
            Err(error) => postgres_is_away(WHAT, &error),
        }
    }
}

/// One look at a project: what it removed and what it found afterwards.
async fn look(app: &App, project: ProjectId) -> Result<serde_json::Value, Fault> {
    // Rows that are on their way have the days of before; the next look finds those that come later.
    tokio::time::sleep(KNOWN_AFTER).await;
    app.spool().wait_until_drained(DRAIN_PATIENCE).await;
    let settings = retention::settings(app.postgres(), project).await?;
    let settings = settings.unwrap_or_default();
    let held = holds::list(app.postgres(), project).await?;
    let held: Vec<String> = held.into_iter().map(|hold| hold.user_id).collect();
    hold(app, project, &held).await?;
    let clickhouse = app.clickhouse();

    let now = app.clock().now();
    let at = (&settings, now);
    let sampling = retention::sampling(app.postgres(), project).await?;
    let sampling = sampling.unwrap_or_default();
    let chosen = telemetry::choose(clickhouse, project, &sampling).await?;
    // Before rows have their new days: the engine drops what is past them at once.
    hanging::of_contents(app, project, (at, &sampling)).await?;
    let traces = hanging::of_rows(app, project, at).await?;
    let both = (&settings, &sampling);
    let stamped = telemetry::stamp(clickhouse, project, both).await?;
    telemetry::remove_sources(clickhouse, project, at).await?;
    telemetry::remove_rows(clickhouse, project, now).await?;
    telemetry::remove_shells(clickhouse, project, at).await?;
    telemetry::remove_metrics(clickhouse, project, at).await?;
    let entries = rest(app, project, at, &held).await?;
    app.opened().forget_project(project);
    app.facets().forget(project);
    app.answers().forget(project);
    app.hub().note_change(project);

    let left = verify(app, project, at).await?;
    let rows: u64 = left.values().sum();
    if rows > 0 {
        tracing::warn!(%project, ?left, "something is past its time and still there");
    }
    Ok(json!({
        "removed": { "traces": traces, "audit_entries": entries },
        "days_changed": stamped,
        "chosen": chosen,
        "past": left,
    }))
}

/// Has traces of users who are held kept, and those of others no more.
async fn hold(app: &App, project: ProjectId, users: &[String]) -> Result<(), Fault> {
    let clickhouse = app.clickhouse();
    for some in portions(users) {
        loop {
            let traces = telemetry::to_hold(clickhouse, project, some).await?;
            if traces.is_empty() {
                break;
            }
            telemetry::hold(clickhouse, project, &traces).await?;
        }
    }
    let users: HashSet<&str> = users.iter().map(String::as_str).collect();
    let free = |users_of: &[String]| !users_of.iter().any(|user| users.contains(user.as_str()));
    let released: BTreeSet<String> = telemetry::held(clickhouse, project)
        .await?
        .into_iter()
        .filter(|trace| free(&trace.users))
        .map(|trace| trace.trace_id)
        .collect();
    let released: Vec<String> = released.into_iter().collect();
    for some in portions(&released) {
        telemetry::release(clickhouse, project, some).await?;
    }
    Ok(())
}

/// What is of no trace: business events, and the beginning of the audit log; how many entries of it.
async fn rest(
    app: &App,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
    held: &[String],
) -> Result<u64, Fault> {
    if let Some(days) = settings.usual.structure_days {
        let before = over_since(now, days);
        retention::remove_business_events(app.postgres(), project, before, held).await?;
    }
    let Some(days) = settings.audit_days else {
        return Ok(0);
    };
    let mut tx = app.postgres().begin().await?;
    let entries = audit::cut(&mut tx, project, (over_since(now, days), now)).await?;
    tx.commit().await?;
    Ok(entries)
}

/// What is past its time and on the disk for longer than the engine has for it; it is made to do that first.
async fn verify(
    app: &App,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
) -> Result<BTreeMap<String, u64>, Fault> {
    let at = (settings, over_since(now, ENGINE_DAYS));
    let clickhouse = app.clickhouse();
    let mut left = telemetry::left(clickhouse, project, at).await?;
    for _ in 0..ROUNDS {
        if left.is_empty() {
            break;
        }
        telemetry::materialise(clickhouse, project, at.1, &left).await?;
        left = telemetry::left(clickhouse, project, at).await?;
    }
    Ok(left)
}
