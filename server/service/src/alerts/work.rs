//! Looking at rules: what has passed the watermark, step by step, and what comes of it in one transaction.

use std::time::Duration;

use domain::alert::evaluate::{advance, floor};
use domain::alert::incident::Incident;
use domain::alert::kind::STEP_S;
use domain::alert::{Rule, Severity};
use domain::{Fault, Nanos, ProjectId, Timestamp};
use store_postgres::alerts::progress::{self, Turn};
use store_postgres::alerts::{channels, rules, settings};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::gather::Gathered;
use super::record::Recorder;
use super::successors;
use super::usual::{self, Known};
use crate::app::App;
use crate::incidents;
use crate::turns::{Turns, postgres_is_away};

/// What is looked for.
const WHAT: &str = "rules that are due";
/// Between two looks whether a project is due.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a project is held: longer than a turn takes.
const HOLD: Nanos = Nanos::from_seconds(30);
/// How long a turn may take.
const TIME: Duration = Duration::from_secs(25);
/// Wait after a turn that came to nothing.
const REST: Nanos = Nanos::from_seconds(5);
/// When to look again where no rule is on.
const IDLE: Nanos = Nanos::from_seconds(60);
/// How much is caught up at once.
const MOST_AT_ONCE: Nanos = Nanos::from_seconds(3_600);
/// What is caught up at all after the server was away: what is older is not told any more.
const CATCH_UP: Nanos = Nanos::from_seconds(6 * 3_600);
/// How long telemetry that was received before may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);

/// Looks at the rules of whatever project is due, until `stop`.
pub(super) async fn work(app: &App, stop: &CancellationToken) {
    let mut known = Known::default();
    let turns = Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: None,
        stop,
    };
    let take = || {
        let now = app.clock().now();
        progress::take(app.postgres(), Uuid::now_v7(), now, now.plus(HOLD))
    };
    while let Some(turn) = turns.next(take).await {
        tokio::select! {
            () = take_turn(app, &turn, &mut known) => {}
            () = stop.cancelled() => {}
        }
    }
}

async fn take_turn(app: &App, turn: &Turn, known: &mut Known) {
    let now = app.clock().now();
    let looked = tokio::time::timeout(TIME, look(app, turn, now, known)).await;
    let fault = match looked {
        Ok(Ok(())) => return,
        Ok(Err(fault)) => fault,
        Err(_) => Fault::unavailable("looking at the rules took too long"),
    };
    broke_off(turn.project, &fault);
    let again = app.clock().now().plus(REST);
    let noted = progress::failed(app.postgres(), turn, (&fault.message, again)).await;
    if let Err(error) = noted {
        postgres_is_away(WHAT, &error);
    }
}

fn broke_off(project: ProjectId, fault: &Fault) {
    let cause = std::error::Error::source(fault);
    tracing::warn!(cause, %project, "rules could not be looked at: {fault}");
}

/// Looks at the steps that have passed the watermark at an instant. Broken off anywhere, nothing of it has happened.
async fn look(app: &App, turn: &Turn, now: Timestamp, known: &mut Known) -> Result<(), Fault> {
    let (db, project) = (app.postgres(), turn.project);
    let settings = settings::show(db, project).await?;
    let all = rules::list(db, project).await?;
    let rules: Vec<Rule> = all.into_iter().filter(|rule| rule.draft.enabled).collect();
    let watermark = floor(now.minus(Nanos::from_seconds(settings.delay_s)));
    let after = turn.evaluated_until.max(watermark.minus(CATCH_UP));
    let until = watermark.min(floor(after.plus(MOST_AT_ONCE)));
    if rules.is_empty() || until <= after {
        let (reached, next) = match rules.is_empty() {
            true => (watermark.max(after), now.plus(IDLE)),
            false => (after, next(now)),
        };
        let mut tx = db.begin().await?;
        if progress::pass(&mut tx, turn, (reached, next), None).await? {
            tx.commit().await?;
        }
        return Ok(());
    }
    if !app.spool().wait_until_drained(DRAIN_PATIENCE).await {
        return Err(Fault::unavailable("the telemetry store is behind"));
    }
    let gathered = Gathered::new(app, project, &rules, (after, until)).await?;
    let error = gathered.errors();
    let about = (project, &settings);
    let usual = usual::of_rules(app, about, &rules, (after, until), known).await?;
    let before = progress::states(db, project).await?;
    let successors = successors::of_rules(db, project, &rules, &before).await?;
    let gathered = gathered.with_usual(usual).with_successors(successors);
    let mut states = before.clone();
    let watched = gathered.watched(&rules);
    let events = advance(&settings, &watched, &mut states, (after, until));

    let next = if until < watermark { now } else { next(now) };
    let channels = channels::list(db, project).await?;
    let recorder = Recorder::new(app, project, &channels);
    let mut opened = Vec::new();
    let mut tx = db.begin().await?;
    if !progress::pass(&mut tx, turn, (until, next), error.as_deref()).await? {
        // Somebody changed the rules meanwhile, or it took too long.
        return Ok(());
    }
    for (rule, groups) in &states {
        if before.get(rule) != Some(groups) {
            progress::keep_states(&mut tx, project, (*rule, groups), now).await?;
        }
    }
    for event in &events {
        if let Some(rule) = rules.iter().find(|rule| rule.id == event.rule) {
            opened.extend(recorder.event(&mut tx, (rule, &rules), event).await?);
        }
    }
    tx.commit().await?;
    let is_told = |incident: &&Incident| {
        incident.severity == Severity::P1 && incident.suppressed_by.is_none()
    };
    for incident in opened.iter().filter(is_told) {
        incidents::told(app, project, incident);
    }
    Ok(())
}

/// The next step after an instant.
fn next(now: Timestamp) -> Timestamp {
    floor(now).plus(Nanos::from_seconds(STEP_S))
}
