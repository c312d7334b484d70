//! Who changed what and when. Rows are written, in the transaction of what they tell of, and never changed.

use domain::{ProjectId, Timestamp};
use serde_json::Value;

use crate::{StoreError, Transaction};

/// What is written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Who: `server`, `operator`, `key:ID` or `person:ID`.
    pub actor: String,
    /// What was done: `prompt.rollback`.
    pub action: &'static str,
    /// To what: `prompt:NAME`.
    pub object: String,
    /// What was changed, as it was.
    pub before: Value,
    /// As it is now.
    pub after: Value,
}

/// Writes it down.
///
/// # Errors
/// When Postgres is away.
pub async fn append(
    tx: &mut Transaction,
    project: ProjectId,
    entry: &Entry,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO audit_log (project_id, at, actor, action, object, before, after)
         VALUES ($1, $2, $3, $4, $5, $6::TEXT::JSONB, $7::TEXT::JSONB)",
        project.as_uuid(),
        at.to_utc(),
        entry.actor,
        entry.action,
        entry.object,
        entry.before.to_string(),
        entry.after.to_string()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
