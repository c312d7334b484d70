//! What projects set for the labels of their prompts.

use domain::prompt::{Label, PromptName};
use domain::rollback::{Mode, Policy};
use domain::{ProjectId, Timestamp};

use super::row::{json, row};
use crate::{StoreError, Transaction};

/// A policy with who set it.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The policy.
    pub policy: Policy,
    /// Whether it was set by somebody who may move protected labels.
    pub moves_protected: bool,
    /// Who: `key:ID` or `person:ID`.
    pub updated_by: String,
    /// When.
    pub updated_at: Timestamp,
}

/// That of a label, or, where none is named, the one that was set last; `None` where none is set.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn find_policy(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    label: Option<&Label>,
) -> Result<Option<Held>, StoreError> {
    let found = sqlx::query!(
        r#"SELECT
             s.label, s.mode, s.limits::TEXT AS "limits!", s.moves_protected, s.updated_by,
             s.updated_at
         FROM rollback_policies s JOIN prompts p ON p.id = s.prompt_id
         WHERE p.project_id = $1 AND p.name = $2 AND ($3::TEXT IS NULL OR s.label = $3)
         ORDER BY s.updated_at DESC, s.label
         LIMIT 1"#,
        project.as_uuid(),
        name.as_str(),
        label.map(Label::as_str)
    )
    .fetch_optional(tx.connection())
    .await?;
    let held = found.map(|found| {
        let limits = serde_json::from_str(&found.limits);
        Ok(Held {
            policy: Policy {
                // The table's constraint keeps other names out.
                mode: Mode::from_name(&found.mode).unwrap_or_default(),
                label: Label::parse(&found.label).map_err(row)?,
                limits: limits.map_err(|error| StoreError::Row(error.into()))?,
            },
            moves_protected: found.moves_protected,
            updated_by: found.updated_by,
            updated_at: found.updated_at.into(),
        })
    });
    held.transpose()
}

/// Sets it; whether there is a prompt of that name.
///
/// # Errors
/// When Postgres is away.
pub async fn set_policy(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    held: &Held,
) -> Result<bool, StoreError> {
    let set = sqlx::query!(
        "INSERT INTO rollback_policies
             (prompt_id, label, mode, limits, moves_protected, updated_by, updated_at)
         SELECT p.id, $3, $4, $5::TEXT::JSONB, $6, $7, $8
         FROM prompts p
         WHERE p.project_id = $1 AND p.name = $2
             AND EXISTS (SELECT FROM prompt_versions v WHERE v.prompt_id = p.id)
         ON CONFLICT ON CONSTRAINT rollback_policies_pkey DO UPDATE
         SET
             mode = excluded.mode,
             limits = excluded.limits,
             moves_protected = excluded.moves_protected,
             updated_by = excluded.updated_by,
             updated_at = excluded.updated_at",
        project.as_uuid(),
        name.as_str(),
        held.policy.label.as_str(),
        held.policy.mode.as_str(),
        json(&held.policy.limits),
        held.moves_protected,
        held.updated_by,
        held.updated_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(set.rows_affected() == 1)
}
