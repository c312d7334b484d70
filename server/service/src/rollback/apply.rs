//! A label moves, and everything that tells of it is written: in the transaction of whoever asks, which holds the lock of
//! the project's prompts.

use domain::alert::incident::{Happening, Moment};
use domain::prompt::notice::Happened;
use domain::prompt::{Label, PromptName, Selector};
use domain::{Fault, IncidentId, ProjectId, Timestamp};
use serde_json::json;
use store_postgres::alerts::incidents;
use store_postgres::audit::{self, Entry};
use store_postgres::{Transaction, prompts};

use crate::app::App;
use crate::prompts::{no_such_prompt, tell};

/// A label that goes from one version to another.
pub(super) struct Step<'s> {
    /// Where channels are told of it from.
    pub(super) app: &'s App,
    /// Whose prompt.
    pub(super) project: ProjectId,
    /// The prompt.
    pub(super) name: &'s PromptName,
    /// The label.
    pub(super) label: &'s Label,
    /// The version that it stands on.
    pub(super) from: u32,
    /// The version that it goes to.
    pub(super) to: u32,
    /// Who moves it.
    pub(super) actor: &'s str,
    /// What is written into the audit log: `prompt.rollback`.
    pub(super) action: &'static str,
}

/// Moves the label. A test of it is over then, and that is written down and told first.
///
/// # Errors
/// `not_found` without such a version, or `unavailable` without Postgres.
pub(super) async fn step(
    tx: &mut Transaction,
    step: &Step<'_>,
    at: Timestamp,
) -> Result<(), Fault> {
    let selector = Selector::Version(step.to);
    let target = prompts::find(tx, step.project, step.name, &selector).await?;
    let target = target.ok_or_else(|| no_such_prompt(step.name, &selector))?;
    let labels = std::slice::from_ref(step.label);
    let splits = prompts::splits(tx, step.project, step.name).await?;
    let tested = splits.into_iter().find(|split| split.label == *step.label);
    if let Some(split) = tested {
        let ended = Happened::TestEnded {
            label: split.label,
            before: split.variants,
            version: step.to,
        };
        let entry = Entry {
            actor: step.actor.to_owned(),
            action: ended.action().into(),
            object: format!("prompt:{}", step.name),
            before: ended.before(),
            after: ended.after(),
        };
        audit::append(tx, step.project, &entry, at).await?;
        let told = (step.name, &ended, step.actor);
        tell(step.app, tx, step.project, told, at).await?;
    }
    prompts::move_labels(tx, step.project, target.id, labels, at).await?;
    let state = |version: u32| json!({ "label": step.label.as_str(), "version": version });
    let entry = Entry {
        actor: step.actor.to_owned(),
        action: step.action.into(),
        object: format!("prompt:{}", step.name),
        before: state(step.from),
        after: state(step.to),
    };
    audit::append(tx, step.project, &entry, at).await?;
    let happened = Happened::Moved {
        label: step.label.clone(),
        from: Some(step.from),
        to: Some(step.to),
    };
    let told = (step.name, &happened, step.actor);
    tell(step.app, tx, step.project, told, at).await
}

/// Writes a moment into the time line of an incident.
///
/// # Errors
/// `unavailable` without Postgres.
pub(super) async fn note(
    tx: &mut Transaction,
    (project, incident): (ProjectId, IncidentId),
    (at, what): (Timestamp, Happening),
    detail: String,
) -> Result<(), Fault> {
    let moment = Moment { at, what, detail };
    Ok(incidents::note(tx, project, incident, &moment).await?)
}
