//! Rollback: labels of prompts go back to an earlier version, because somebody asks or because an incident is laid to
//! the version that they stand on.
//!
//! An attribution queues what is to be decided in the transaction that it is written in ([`queue`]). [`run`] decides:
//! the safety net is asked, and then the label is moved, and everything that tells of it written, in one transaction.
//! It may be broken off anywhere; what is waiting is taken up again.

/// A label moves, and everything that tells of it is written.
mod apply;
/// What projects set.
mod policy;
/// Somebody asks.
mod request;
/// What the safety net says.
mod safety;
/// Forth again.
mod undo;
/// An incident is laid to a version.
mod work;

use domain::prompt::{PromptName, Selector};
use domain::rollback::{Rollback, Suspect};
use domain::{Fault, IncidentId, ProjectId, RollbackId, Timestamp};
use store_postgres::{Transaction, prompts, rollbacks};

use crate::app::App;
use crate::scope::{Actor, ProjectScope};

pub use policy::{Shown, set_policy, show_policy};
pub use request::{Answer, Request, roll_back};
pub use undo::undo;
pub(crate) use work::run;

/// Queues what is to be decided of an incident that is laid to a version of a prompt: whatever labels stand on it and
/// have a policy, each once, however often the attribution is told.
///
/// # Errors
/// `unavailable` without Postgres.
pub(crate) async fn queue(
    tx: &mut Transaction,
    project: ProjectId,
    about: (IncidentId, &Suspect),
    at: Timestamp,
) -> Result<(), Fault> {
    rollbacks::push(tx, project, about, at).await?;
    Ok(())
}

/// Those of a prompt, the newest first.
///
/// # Errors
/// `not_found` for a prompt that is not there and never went back, or `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    slice: (Option<(Timestamp, RollbackId)>, u32),
) -> Result<Vec<Rollback>, Fault> {
    let found = rollbacks::list(app.postgres(), scope.project_id(), name, slice).await?;
    if found.is_empty() && slice.0.is_none() {
        let mut tx = app.postgres().begin_reading().await?;
        must_be(&mut tx, scope, name).await?;
    }
    Ok(found)
}

/// Fails where there is no prompt of a name.
async fn must_be(
    tx: &mut Transaction,
    scope: &ProjectScope,
    name: &PromptName,
) -> Result<(), Fault> {
    let latest = Selector::Label(domain::prompt::Label::latest());
    let found = prompts::find(tx, scope.project_id(), name, &latest).await?;
    found.map_or_else(
        || Err(Fault::not_found(format!("Prompt not found: '{name}'"))),
        |_| Ok(()),
    )
}

/// Who acts, as it is written down.
pub(crate) fn actor(scope: &ProjectScope) -> String {
    actor_name(scope.actor())
}

/// The same, without a scope.
pub(crate) fn actor_name(actor: Actor) -> String {
    match actor {
        Actor::Key(id) => format!("key:{id}"),
        Actor::Person(id) => format!("person:{id}"),
        Actor::Operator => "operator".to_owned(),
        Actor::Server | Actor::Anybody => "server".to_owned(),
    }
}
