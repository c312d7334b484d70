//! Somebody asks: a label goes to a version, or it is only said what would speak against it.

use domain::alert::incident::Happening;
use domain::prompt::{Label, PromptName, Selector};
use domain::rollback::safety::all_hold;
use domain::rollback::{Check, Limits, Rollback, State};
use domain::tenancy::Permission;
use domain::{Code, Fault, IncidentId, RollbackId, Timestamp};
use store_postgres::{Transaction, prompts as store, rollbacks};
use uuid::Uuid;

use super::apply::{Step, note, step};
use super::safety::{Comparison, ask};
use super::{actor, must_be};
use crate::app::App;
use crate::prompts::{self, no_such_prompt};
use crate::scope::ProjectScope;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// The version that the label goes to.
    pub to_version: u32,
    /// Which label; `None`: that of the policy which was set last, else `production`.
    pub label: Option<Label>,
    /// The version that it must stand on; `None`: any.
    pub from_version: Option<u32>,
    /// Nothing is changed.
    pub dry_run: bool,
    /// It goes even though a check fails.
    pub force: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether every check holds.
    pub allowed: bool,
    /// What the safety net says.
    pub checks: Vec<Check>,
    /// Whether the label stands on the version now because of it.
    pub applied: bool,
    /// The label.
    pub label: Label,
    /// The version that it stood on.
    pub from_version: u32,
    /// What was written down.
    pub rollback: Option<Rollback>,
}

/// What is known before anything is asked of telemetry.
struct Found {
    label: Label,
    limits: Limits,
    from: u32,
    incident: Option<(IncidentId, Timestamp)>,
    last: Option<Rollback>,
}

/// Moves a label back where every check holds, or where it is forced; needs `ChangePrompts` unless nothing is to be
/// changed, for a protected label `MoveProtectedLabels` as well. Asked again, it has happened already.
///
/// # Errors
/// `forbidden`; `not_found` without such a prompt, version or label; `conflict` where the label stands elsewhere than
/// was said, on the version already, or was moved meanwhile; `unavailable` when a store is away.
pub async fn roll_back(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    request: &Request,
) -> Result<Answer, Fault> {
    if !request.dry_run {
        scope.require(Permission::ChangePrompts)?;
    }
    let found = find(app, scope, name, request).await?;
    if let Some(last) = found.last {
        return Ok(answer_of(last));
    }
    let question = Comparison {
        project: scope.project_id(),
        name,
        suspect: found.from,
        target: request.to_version,
        before: found
            .incident
            .map_or_else(|| app.clock().now(), |(_, onset)| onset),
    };
    let checks = ask(app, &question, &found.limits).await?;
    let allowed = all_hold(&checks);
    if request.dry_run || (!allowed && !request.force) {
        return Ok(Answer {
            allowed,
            checks,
            applied: false,
            label: found.label,
            from_version: found.from,
            rollback: None,
        });
    }
    let wanted = Rollback {
        id: RollbackId(Uuid::now_v7()),
        prompt: name.clone(),
        label: found.label,
        from_version: found.from,
        to_version: Some(request.to_version),
        incident: found.incident.map(|(id, _)| id),
        is_automatic: false,
        actor: actor(scope),
        state: State::Applied,
        reason: reason(allowed).to_owned(),
        checks,
        created_at: Timestamp::EPOCH,
        decided_at: None,
        undone_at: None,
        undone_by: None,
        recovered_at: None,
    };
    carry_out(app, scope, wanted).await.map(answer_of)
}

fn reason(allowed: bool) -> &'static str {
    match allowed {
        true => "asked for; every check holds",
        false => "asked for in spite of checks that do not hold",
    }
}

async fn find(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    request: &Request,
) -> Result<Found, Fault> {
    let project = scope.project_id();
    let mut tx = app.postgres().begin_reading().await?;
    must_be(&mut tx, scope, name).await?;
    let held = rollbacks::find_policy(&mut tx, project, name, request.label.as_ref()).await?;
    let policy = held.map(|held| held.policy);
    let limits = policy.as_ref().map(|policy| policy.limits);
    let label = request.label.clone().or(policy.map(|policy| policy.label));
    let label = label.unwrap_or_else(Label::production);
    if label.is_latest() {
        return Err(Fault::invalid("the label latest moves by itself").on_field("label"));
    }
    let selector = Selector::Version(request.to_version);
    let target = store::find(&mut tx, project, name, &selector).await?;
    target.ok_or_else(|| no_such_prompt(name, &selector))?;
    let standing = store::standing(&mut tx, project, (name, &label)).await?;
    let standing = standing.ok_or_else(|| no_such_prompt(name, &Selector::Label(label.clone())))?;
    let from = standing.version;
    let last = match (from == request.to_version, request.dry_run) {
        (true, true) => return Err(stands_there(&label, from)),
        (true, false) => Some(already(&mut tx, scope, (name, &label), from).await?),
        (false, _) => None,
    };
    if let Some(said) = request
        .from_version
        .filter(|said| last.is_none() && *said != from)
    {
        return Err(elsewhere(&label, Some(from), said));
    }
    Ok(Found {
        limits: limits.unwrap_or_default(),
        from,
        incident: rollbacks::open_incident(&mut tx, project, (name, from)).await?,
        last,
        label,
    })
}

/// The rollback that brought a label to a version; a failure where it is there for another reason.
async fn already(
    tx: &mut Transaction,
    scope: &ProjectScope,
    (name, label): (&PromptName, &Label),
    version: u32,
) -> Result<Rollback, Fault> {
    let last = rollbacks::last_applied(tx, scope.project_id(), name, Some(label)).await?;
    last.filter(|last| last.to_version == Some(version))
        .ok_or_else(|| stands_there(label, version))
}

fn stands_there(label: &Label, version: u32) -> Fault {
    let message = format!("the label {label} stands on version {version} already");
    Fault::new(Code::Conflict, message)
}

async fn carry_out(app: &App, scope: &ProjectScope, wanted: Rollback) -> Result<Rollback, Fault> {
    let (project, to) = (scope.project_id(), wanted.to_version.unwrap_or_default());
    let about = (&wanted.prompt, &wanted.label);
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = prompts::begin(app, scope).await?;
    let now = app.clock().now();
    prompts::may_move(&mut tx, scope, std::slice::from_ref(&wanted.label)).await?;
    let standing = store::standing(&mut tx, project, about).await?;
    let stands_on = standing.map(|standing| standing.version);
    if stands_on == Some(to) {
        return already(&mut tx, scope, about, to).await;
    }
    if stands_on != Some(wanted.from_version) {
        return Err(elsewhere(&wanted.label, stands_on, wanted.from_version));
    }
    let moved = Step {
        app,
        project,
        name: &wanted.prompt,
        label: &wanted.label,
        from: wanted.from_version,
        to,
        actor: &wanted.actor,
        action: "prompt.rollback",
    };
    step(&mut tx, &moved, now).await?;
    let done = Rollback {
        created_at: now,
        decided_at: Some(now),
        ..wanted
    };
    rollbacks::create(&mut tx, project, &done).await?;
    if let Some(incident) = done.incident {
        let detail = format!("{}, by {}", done.said(), done.actor);
        note(
            &mut tx,
            (project, incident),
            (now, Happening::RolledBack),
            detail,
        )
        .await?;
    }
    prompts::commit(app, scope, &done.prompt, tx).await?;
    Ok(done)
}

fn elsewhere(label: &Label, stands_on: Option<u32>, expected: u32) -> Fault {
    let now = stands_on.map_or_else(
        || "no version".to_owned(),
        |version| format!("version {version}"),
    );
    let message = format!(
        "the label {label} stands on {now}, not on version {expected}: it was moved meanwhile"
    );
    Fault::new(Code::Conflict, message)
}

fn answer_of(rollback: Rollback) -> Answer {
    Answer {
        allowed: all_hold(&rollback.checks),
        checks: rollback.checks.clone(),
        applied: true,
        label: rollback.label.clone(),
        from_version: rollback.from_version,
        rollback: Some(rollback),
    }
}
