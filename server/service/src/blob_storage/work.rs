//! Takes up exports that are due, window by window. What breaks off is done again from the beginning of
//! its window, on any server: files have names that follow from the window, and overwrite themselves.

use std::time::Duration;

use domain::blob_storage::LAG;
use domain::{Fault, Nanos, ProjectId, Timestamp};
use futures_util::future::join_all;
use store_postgres::blob_storage::{self, Taken};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::read::{self, Window};
use super::write::FileWriter;
use super::{next, place, send};
use crate::app::App;
use crate::auth;
use crate::turns::{Turns, postgres_is_away};

/// What is looked for.
const WHAT: &str = "exports that are due";
/// Exports of a server at once, so that a slow store does not hold up the others.
const WORKERS: usize = 4;
/// How long an export is held without a sign of life.
const HOLD: Nanos = Nanos::from_seconds(15);
/// Between two signs of life.
const SIGN_EVERY: Duration = Duration::from_secs(5);
/// Between two looks whether something is due.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How long telemetry that was received before may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);
/// Wait after the first failure; after each one more it is twice as long.
const REST: Nanos = Nanos::from_seconds(5);
/// And at most that.
const MAX_REST: Nanos = Nanos::from_seconds(3_600);

/// Exports what is due, until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    join_all((0..WORKERS).map(|_| work(&app, &stop))).await;
}

async fn work(app: &App, stop: &CancellationToken) {
    let turns = Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: Some(app.wake_exports()),
        stop,
    };
    let take = || {
        let now = app.clock().now();
        blob_storage::take(app.postgres(), Uuid::now_v7(), now, now.plus(HOLD))
    };
    while let Some(taken) = turns.next(take).await {
        work_on(app, &taken, stop).await;
    }
}

fn broke_off(project: ProjectId, fault: &Fault) {
    let cause = std::error::Error::source(fault);
    tracing::warn!(cause, %project, "an export broke off: {fault}");
}

/// How a turn ended.
enum Outcome {
    /// Everything before is exported.
    Passed(Timestamp),
    /// The window is too large: the next turn ends it there.
    Split(Timestamp),
    /// The server stops.
    Stopped,
}

async fn work_on(app: &App, taken: &Taken, stop: &CancellationToken) {
    let turn = (taken.export.project_id, taken.claim);
    let outcome = tokio::select! {
        outcome = export(app, taken) => outcome,
        () = lost(app, turn) => return,
        () = stop.cancelled() => Ok(Outcome::Stopped),
    };
    let (db, now) = (app.postgres(), app.clock().now());
    let noted = match outcome {
        Ok(Outcome::Passed(until)) => {
            let next = next(&taken.export.settings, until, now);
            blob_storage::passed(db, turn, (until, next), now).await
        }
        Ok(Outcome::Split(until)) => blob_storage::release(db, turn, Some(until)).await,
        Ok(Outcome::Stopped) => blob_storage::release(db, turn, None).await,
        Err(fault) => {
            broke_off(turn.0, &fault);
            let again = now.plus(rest(taken.tries));
            blob_storage::failed(db, turn, (&fault.message, again), now).await
        }
    };
    if let Err(error) = noted {
        postgres_is_away(WHAT, &error);
    }
}

/// Keeps the export held; done when another turn has it, or its settings were changed.
async fn lost(app: &App, turn: (ProjectId, Uuid)) {
    loop {
        tokio::time::sleep(SIGN_EVERY).await;
        let until = app.clock().now().plus(HOLD);
        match blob_storage::hold(app.postgres(), turn, until).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => postgres_is_away(WHAT, &error),
        }
    }
}

/// How long to wait after so many tries.
fn rest(tries: u32) -> Nanos {
    let doubled = REST.0.checked_shl(tries.saturating_sub(1).min(20));
    Nanos(doubled.unwrap_or(MAX_REST.0)).min(MAX_REST)
}

/// Exports one window.
async fn export(app: &App, taken: &Taken) -> Result<Outcome, Fault> {
    let (project, settings) = (taken.export.project_id, &taken.export.settings);
    let over = app.clock().now().minus(LAG);
    let end = settings.frequency.window_begin(over);
    let from = taken.export.progress.exported_until;
    if end <= from {
        return Ok(Outcome::Passed(from));
    }
    if !app.spool().wait_until_drained(DRAIN_PATIENCE).await {
        return Err(Fault::unavailable("the telemetry store is behind"));
    }
    let Some(first) = oldest(app, project, (from, end)).await? else {
        return Ok(Outcome::Passed(end));
    };
    let begin = first.max(from);
    let whole = settings.frequency.window_end(begin).min(end);
    let split = taken.split_until.filter(|split| *split > begin);
    let until = split.map_or(whole, |split| split.min(whole));
    let secret = app.settings().vault.open(&place(project), &taken.secret);
    let secret = secret.map_err(|fault| {
        let message = "the stored secret does not open with this server's key; set it again";
        Fault::unavailable(message).because(fault)
    })?;
    // All are written before the first is sent: of a window that is too large nothing is left behind.
    let mut files = Vec::new();
    let scope = auth::enter_to_export(project);
    for table in settings.source.tables() {
        let folder = &app.settings().scratch_dir;
        let kind = app.records().kind;
        let mut file = FileWriter::create(folder, settings, kind).map_err(Fault::internal)?;
        if !read::table((app, &scope), (settings, *table), (begin, until), &mut file).await? {
            return split_within((begin, until)).map(Outcome::Split);
        }
        if let Some(finished) = file.finish().await.map_err(Fault::internal)? {
            files.push((settings.key(project, *table, until), finished));
        }
    }
    for (key, finished) in files {
        send::put(app, (settings, &secret), &key, finished).await?;
    }
    Ok(Outcome::Passed(until))
}

/// Where the telemetry of a stretch of time begins, to the hour; stretches without any are jumped over.
async fn oldest(app: &App, project: ProjectId, within: Window) -> Result<Option<Timestamp>, Fault> {
    let clickhouse = app.clickhouse();
    let (spans, scores) = tokio::join!(
        store_clickhouse::traces::oldest(clickhouse, project, within),
        store_clickhouse::scores::oldest(clickhouse, project, within),
    );
    let found = spans?.into_iter().chain(scores?).min();
    Ok(found.filter(|first| *first < within.1))
}

/// The middle of a window that is too large, on a whole second as names of files have them.
fn split_within((begin, until): Window) -> Result<Timestamp, Fault> {
    let middle = begin.plus(Nanos((until - begin).0 / 2)).whole_seconds();
    if middle > begin {
        Ok(middle)
    } else {
        let message = "a second holds more telemetry than fits into a file";
        Err(Fault::unavailable(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_doubles_up_to_an_hour() {
        let seconds = [1, 2, 3, 11, 1_000].map(|tries| rest(tries).0 / 1_000_000_000);
        assert_eq!(seconds, [5, 10, 20, 3_600, 3_600]);
    }

    #[test]
    fn a_window_is_halved_down_to_a_second() {
        let at = |text| Timestamp::parse(text).unwrap();
        let window = (at("2026-11-05T13:00:00Z"), at("2026-11-05T13:00:03Z"));
        assert_eq!(split_within(window).unwrap(), at("2026-11-05T13:00:01Z"));
        let second = (window.0, at("2026-11-05T13:00:01Z"));
        assert!(split_within(second).is_err());
    }
}
