//! What projects set for the labels of their prompts.

use domain::prompt::{Label, PromptName};
use domain::rollback::Policy;
use domain::tenancy::Permission;
use domain::{Fault, Timestamp};
use serde_json::json;
use store_postgres::audit::{self, Entry};
use store_postgres::rollbacks::{self, Held};

use super::{actor, must_be};
use crate::app::App;
use crate::prompts;
use crate::scope::ProjectScope;

/// A policy as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The policy.
    pub policy: Policy,
    /// Who set it and when; `None`: nobody.
    pub set: Option<(String, Timestamp)>,
}

impl From<Held> for Shown {
    fn from(held: Held) -> Self {
        Shown {
            policy: held.policy,
            set: Some((held.updated_by, held.updated_at)),
        }
    }
}

/// That of a label; where none is named, the one that was set last. Where none is set nothing happens.
///
/// # Errors
/// `not_found` without such a prompt, or `unavailable` without Postgres.
pub async fn show_policy(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    label: Option<Label>,
) -> Result<Shown, Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    must_be(&mut tx, scope, name).await?;
    let project = scope.project_id();
    let held = rollbacks::find_policy(&mut tx, project, name, label.as_ref()).await?;
    Ok(held.map_or_else(
        || Shown {
            policy: Policy::usual(label.unwrap_or_else(Label::production)),
            set: None,
        },
        Shown::from,
    ))
}

/// Sets that of a label; needs `ChangePrompts`, for a protected label `MoveProtectedLabels` as well.
///
/// # Errors
/// `forbidden`, `not_found` without such a prompt, `invalid` for `latest`, which moves by itself, or `unavailable`
/// without Postgres.
pub async fn set_policy(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    policy: Policy,
) -> Result<Shown, Fault> {
    scope.require(Permission::ChangePrompts)?;
    if policy.label.is_latest() {
        return Err(Fault::invalid("the label latest moves by itself").on_field("label"));
    }
    let (project, now) = (scope.project_id(), app.clock().now());
    let _turn = app.prompts().turn_to_change(project).await;
    let mut tx = prompts::begin(app, scope).await?;
    must_be(&mut tx, scope, name).await?;
    prompts::may_move(&mut tx, scope, std::slice::from_ref(&policy.label)).await?;
    let before = rollbacks::find_policy(&mut tx, project, name, Some(&policy.label)).await?;
    let held = Held {
        policy,
        moves_protected: scope.role().may(Permission::MoveProtectedLabels),
        updated_by: actor(scope),
        updated_at: now,
    };
    rollbacks::set_policy(&mut tx, project, name, &held).await?;
    let entry = Entry {
        actor: held.updated_by.clone(),
        action: "prompt.rollback_policy".into(),
        object: format!("prompt:{name}"),
        before: before.map_or_else(|| json!(null), |held| said(&held.policy)),
        after: said(&held.policy),
    };
    audit::append(&mut tx, project, &entry, now).await?;
    tx.commit().await?;
    Ok(held.into())
}

fn said(policy: &Policy) -> serde_json::Value {
    json!({ "label": policy.label.as_str(), "mode": policy.mode, "limits": policy.limits })
}
