//! An incident is laid to a version: what is waiting is decided, and done, in one transaction.

use std::time::Duration;

use domain::alert::incident::{Happening, Incident, IncidentState};
use domain::alert::notice::Occasion;
use domain::prompt::Selector;
use domain::rollback::{Check, Decision, Facts, Policy, Rollback, State, blames, decide};
use domain::{AlertChannelId, Code, Fault, Nanos, ProjectId};
use store_postgres::alerts::{channels, incidents as store_incidents};
use store_postgres::rollbacks::{self, Outcome, Taken};
use store_postgres::{Transaction, prompts as store};
use tokio_util::sync::CancellationToken;

use super::apply::{Step, note, step};
use super::safety::{Comparison, ask};
use crate::alerts::Recorder;
use crate::app::App;
use crate::scope::ProjectScope;
use crate::turns::{Turns, postgres_is_away};
use crate::{auth, incidents, prompts};

/// What is looked for.
const WHAT: &str = "rollbacks that are waiting";
/// Between two looks whether something is to be decided.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long it is held: longer than it takes.
const HOLD: Nanos = Nanos::from_seconds(60);
/// How long it may take.
const TIME: Duration = Duration::from_secs(50);
/// Wait after it came to nothing.
const REST: Nanos = Nanos::from_seconds(5);
/// How long telemetry that was received before may take to be stored.
const DRAIN_PATIENCE: Duration = Duration::from_secs(5);

/// Decides what is waiting, until `stop`. Several servers may do it at once.
pub(crate) async fn run(app: &App, stop: &CancellationToken) {
    let turns = Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: None,
        stop,
    };
    let take = || {
        let now = app.clock().now();
        rollbacks::take(app.postgres(), now, now.plus(HOLD))
    };
    while let Some(taken) = turns.next(take).await {
        tokio::select! {
            () = take_up(app, &taken) => {}
            () = stop.cancelled() => {}
        }
    }
}

async fn take_up(app: &App, taken: &Taken) {
    let done = tokio::time::timeout(TIME, consider(app, taken)).await;
    let fault = match done {
        Ok(Ok(())) => return,
        Ok(Err(fault)) => fault,
        Err(_) => Fault::new(Code::Timeout, "deciding took too long"),
    };
    not_decided(taken, &fault);
    let again = app.clock().now().plus(REST);
    let which = (taken.project, taken.rollback.id);
    if let Err(error) = rollbacks::postpone(app.postgres(), which, again).await {
        postgres_is_away(WHAT, &error);
    }
}

fn not_decided(taken: &Taken, fault: &Fault) {
    let (project, id) = (taken.project, taken.rollback.id);
    let cause = std::error::Error::source(fault);
    tracing::warn!(cause, %project, rollback.id = %id, "a rollback could not be decided: {fault}");
}

/// Decides one. Broken off anywhere, nothing of it has happened.
async fn consider(app: &App, taken: &Taken) -> Result<(), Fault> {
    let (db, project, wanted) = (app.postgres(), taken.project, &taken.rollback);
    let incident = match wanted.incident {
        Some(id) => store_incidents::show(db, project, id).await?,
        None => None,
    };
    let checks = checks(app, project, (wanted, incident.as_ref())).await?;
    let to = match &incident {
        Some(incident) => incidents::channels_of(app, project, incident).await?,
        None => Vec::new(),
    };
    // The project has set that the server does it.
    let scope = auth::enter_to_export(project);
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = prompts::begin(app, &scope).await?;
    let deciding = Deciding {
        app,
        scope,
        wanted,
        checks,
    };
    let decision = deciding.decide(&mut tx, incident.as_ref()).await?;
    deciding
        .carry_out(tx, decision, (incident.as_ref(), &to))
        .await
}

/// What the safety net says of the version that the label would go to, where there is one.
async fn checks(
    app: &App,
    project: ProjectId,
    (wanted, incident): (&Rollback, Option<&Incident>),
) -> Result<Vec<Check>, Fault> {
    let (Some(target), Some(incident)) = (wanted.to_version, incident) else {
        return Ok(Vec::new());
    };
    let mut tx = app.postgres().begin_reading().await?;
    let about = (&wanted.prompt, Some(&wanted.label));
    let held = rollbacks::find_policy(&mut tx, project, about.0, about.1).await?;
    drop(tx);
    let _is_drained = app.spool().wait_until_drained(DRAIN_PATIENCE).await;
    let question = Comparison {
        project,
        name: &wanted.prompt,
        suspect: wanted.from_version,
        target,
        before: incident.onset,
    };
    let limits = held.map(|held| held.policy.limits).unwrap_or_default();
    ask(app, &question, &limits).await
}

/// One that is being decided, while nobody else changes prompts of the project.
struct Deciding<'d> {
    app: &'d App,
    scope: ProjectScope,
    wanted: &'d Rollback,
    checks: Vec<Check>,
}

impl Deciding<'_> {
    async fn decide(
        &self,
        tx: &mut Transaction,
        incident: Option<&Incident>,
    ) -> Result<Decision, Fault> {
        let (project, wanted) = (self.scope.project_id(), self.wanted);
        let (name, label) = (&wanted.prompt, &wanted.label);
        let held = rollbacks::find_policy(tx, project, name, Some(label)).await?;
        let moves_protected = held.as_ref().is_some_and(|held| held.moves_protected);
        let policy = held.map_or_else(|| Policy::usual(label.clone()), |held| held.policy);
        let standing = store::standing(tx, project, (name, label)).await?;
        let mut target = None;
        let mut target_is_suspect = false;
        if let Some(version) = wanted.to_version {
            let selector = Selector::Version(version);
            let found = store::find(tx, project, name, &selector).await?;
            target = found.map(|prompt| prompt.version);
            let answers = rollbacks::open_answers(tx, project).await?;
            target_is_suspect = answers.iter().any(|answer| blames(answer, name, version))
                || rollbacks::is_suspect(tx, project, (name, version)).await?;
        }
        let protected = store::protected(tx, project).await?;
        let facts = Facts {
            policy: &policy,
            suspect: wanted.from_version,
            stands_on: standing.map(|standing| standing.version),
            target,
            checks: &self.checks,
            target_is_suspect,
            is_out_of_reach: protected.contains(label) && !moves_protected,
            last: rollbacks::last_automatic(tx, project, (name, label)).await?,
            is_over: incident.is_none_or(|incident| incident.state == IncidentState::Resolved),
            now: self.app.clock().now(),
        };
        Ok(decide(&facts))
    }

    async fn carry_out(
        &self,
        mut tx: Transaction,
        decision: Decision,
        (incident, to): (Option<&Incident>, &[AlertChannelId]),
    ) -> Result<(), Fault> {
        let (app, project, wanted) = (self.app, self.scope.project_id(), self.wanted);
        let now = app.clock().now();
        let (state, what, occasion, reason) = match decision {
            Decision::Apply(target, reason) => {
                let moved = Step {
                    app,
                    project,
                    name: &wanted.prompt,
                    label: &wanted.label,
                    from: wanted.from_version,
                    to: target,
                    actor: &wanted.actor,
                    action: "prompt.rollback",
                };
                step(&mut tx, &moved, now).await?;
                let told = Some(Occasion::RolledBack);
                (State::Applied, Happening::RolledBack, told, reason)
            }
            Decision::Suggest(reason) => {
                let told = Some(Occasion::RollbackSuggested);
                (State::Suggested, Happening::RollbackSuggested, told, reason)
            }
            Decision::Refuse(reason) => (State::Refused, Happening::RollbackRefused, None, reason),
        };
        let outcome = Outcome {
            state,
            reason: &reason,
            checks: &self.checks,
        };
        if !rollbacks::decide(&mut tx, (project, wanted.id), &outcome, now).await? {
            // Another server was faster.
            return Ok(());
        }
        let done = Rollback {
            state,
            reason,
            checks: self.checks.clone(),
            decided_at: Some(now),
            ..wanted.clone()
        };
        if let Some(incident) = incident {
            let detail = format!("{}: {}", done.said(), done.reason);
            note(&mut tx, (project, incident.id), (now, what), detail).await?;
            if let Some(occasion) = occasion {
                let channels = channels::list(app.postgres(), project).await?;
                let recorder = Recorder::new(app, project, &channels);
                recorder
                    .tell_of_rollback(&mut tx, (incident, to), occasion, &done)
                    .await?;
            }
        }
        if state == State::Applied {
            return prompts::commit(app, &self.scope, &wanted.prompt, tx).await;
        }
        Ok(tx.commit().await?)
    }
}
