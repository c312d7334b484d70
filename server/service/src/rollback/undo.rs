//! A label that went back goes forth again. No check is asked for: somebody has seen what it leads to.

use domain::alert::incident::Happening;
use domain::prompt::PromptName;
use domain::rollback::{Rollback, State};
use domain::tenancy::Permission;
use domain::{Code, Fault, RollbackId};
use store_postgres::{prompts as store, rollbacks};

use super::apply::{Step, note, step};
use super::{actor, must_be};
use crate::app::App;
use crate::prompts;
use crate::scope::ProjectScope;

/// Undoes a rollback, the last one of the prompt for `None`; needs `ChangePrompts`, for a protected label
/// `MoveProtectedLabels` as well. What was undone already stays so.
///
/// # Errors
/// `forbidden`; `not_found` without such a prompt, rollback or version; `conflict` where there is nothing to undo, or
/// the label was moved meanwhile; `unavailable` without Postgres.
pub async fn undo(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    id: Option<RollbackId>,
) -> Result<Rollback, Fault> {
    scope.require(Permission::ChangePrompts)?;
    let (project, by) = (scope.project_id(), actor(scope));
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = prompts::begin(app, scope).await?;
    let now = app.clock().now();
    must_be(&mut tx, scope, name).await?;
    let conflict = |message: String| Fault::new(Code::Conflict, message);
    let found = match id {
        Some(id) => {
            let found = rollbacks::find(&mut tx, project, name, id).await?;
            found.ok_or_else(|| Fault::not_found(format!("no rollback {id}")))?
        }
        None => {
            let found = rollbacks::last_applied(&mut tx, project, name, None).await?;
            found.ok_or_else(|| conflict("no label of the prompt went back".to_owned()))?
        }
    };
    let to = match (found.state, found.to_version) {
        (State::Undone, _) => return Ok(found),
        (State::Applied, Some(to)) => to,
        (state, _) => {
            return Err(conflict(format!("the rollback is {state}: no label moved")));
        }
    };
    prompts::may_move(&mut tx, scope, std::slice::from_ref(&found.label)).await?;
    let standing = store::standing(&mut tx, project, (name, &found.label)).await?;
    if standing.map(|standing| standing.version) != Some(to) {
        let label = &found.label;
        return Err(conflict(format!(
            "the label {label} does not stand on version {to} any more: it was moved meanwhile"
        )));
    }
    let moved = Step {
        app,
        project,
        name,
        label: &found.label,
        from: to,
        to: found.from_version,
        actor: &by,
        action: "prompt.rollback_undo",
    };
    step(&mut tx, &moved, now).await?;
    if !rollbacks::undo(&mut tx, (project, found.id), &by, now).await? {
        return Err(conflict("the rollback was undone meanwhile".to_owned()));
    }
    if let Some(incident) = found.incident {
        let detail = format!("{}, by {by}", found.said());
        let undone = (now, Happening::RollbackUndone);
        note(&mut tx, (project, incident), undone, detail).await?;
    }
    prompts::commit(app, scope, name, tx).await?;
    Ok(Rollback {
        state: State::Undone,
        undone_at: Some(now),
        undone_by: Some(by),
        ..found
    })
}
