//! What is still to be decided. It is written together with the attribution that it comes of; whatever server takes it
//! up decides it and moves the label in one transaction, so that it may be broken off anywhere.

use domain::rollback::{Check, Rollback, State, Suspect};
use domain::{IncidentId, ProjectId, RollbackId, Timestamp};

use super::row::{column, json, select_rollbacks};
use crate::{Postgres, StoreError, Transaction};

/// Puts in the queue what is to be decided of an incident: each label that stands on the suspect and has a policy, once;
/// how many are new. A label goes to the version that it stood on before, else to the suspect's predecessor.
///
/// # Errors
/// When Postgres is away.
pub async fn push(
    tx: &mut Transaction,
    project: ProjectId,
    (incident, suspect): (IncidentId, &Suspect),
    at: Timestamp,
) -> Result<u64, StoreError> {
    let pushed = sqlx::query!(
        "INSERT INTO rollbacks
             (id, project_id, prompt_name, label, from_version, to_version, incident_id,
              is_automatic, actor, state, reason, checks, created_at, next_at)
         SELECT
             gen_random_uuid(), $1, p.name, l.label, v.version, coalesce(before.version, $5), i.id,
             TRUE, 'server', 'waiting', '', '[]', $6, $6
         FROM prompts p
         JOIN prompt_versions v ON v.prompt_id = p.id AND v.version = $4
         JOIN prompt_labels l ON l.version_id = v.id
         JOIN rollback_policies s
             ON s.prompt_id = p.id AND s.label = l.label AND s.mode <> 'off'
         JOIN incidents i ON i.project_id = $1 AND i.id = $2
         LEFT JOIN prompt_versions before ON before.id = l.previous_version_id
         WHERE p.project_id = $1 AND p.name = $3
         ON CONFLICT DO NOTHING",
        project.as_uuid(),
        incident.as_uuid(),
        suspect.prompt.as_str(),
        column(suspect.version),
        suspect.previous.map(column),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(pushed.rows_affected())
}

/// What a server decides now.
pub struct Taken {
    /// Whose it is.
    pub project: ProjectId,
    /// What.
    pub rollback: Rollback,
}

/// Takes up what is due, and keeps others from it until `held_until`.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn take(
    db: &Postgres,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<Taken>, StoreError> {
    let mut tx = db.begin().await?;
    let row = select_rollbacks!(
        "WHERE r.state = 'waiting' AND r.next_at <= $1
         ORDER BY r.next_at
         LIMIT 1
         FOR UPDATE SKIP LOCKED",
        now.to_utc()
    )
    .fetch_optional(tx.connection())
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    sqlx::query!(
        "UPDATE rollbacks SET next_at = $2 WHERE id = $1",
        row.id,
        held_until.to_utc()
    )
    .execute(tx.connection())
    .await?;
    tx.commit().await?;
    Ok(Some(Taken {
        project: row.project(),
        rollback: row.into_rollback()?,
    }))
}

/// What was decided.
pub struct Outcome<'o> {
    /// Where it stands now.
    pub state: State,
    /// Why.
    pub reason: &'o str,
    /// What the safety net said.
    pub checks: &'o [Check],
}

/// Writes down what was decided; whether it was still to be decided. Nothing else of the transaction may be kept where
/// it was not.
///
/// # Errors
/// When Postgres is away.
pub async fn decide(
    tx: &mut Transaction,
    (project, id): (ProjectId, RollbackId),
    outcome: &Outcome<'_>,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let decided = sqlx::query!(
        "UPDATE rollbacks
         SET state = $3, reason = $4, checks = $5::TEXT::JSONB, decided_at = $6
         WHERE project_id = $1 AND id = $2 AND state = 'waiting'",
        project.as_uuid(),
        id.as_uuid(),
        outcome.state.as_str(),
        outcome.reason,
        json(&outcome.checks),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(decided.rows_affected() == 1)
}

/// Puts off what could not be decided.
///
/// # Errors
/// When Postgres is away.
pub async fn postpone(
    db: &Postgres,
    (project, id): (ProjectId, RollbackId),
    next_at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE rollbacks SET next_at = $3
         WHERE project_id = $1 AND id = $2 AND state = 'waiting'",
        project.as_uuid(),
        id.as_uuid(),
        next_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
