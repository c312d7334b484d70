//! What came of it.

use domain::prompt::{Label, PromptName};
use domain::rollback::Rollback;
use domain::{IncidentId, ProjectId, RollbackId, Timestamp};
use serde_json::Value;

use super::row::{Row, column, json, select_rollbacks};
use crate::{Postgres, StoreError, Transaction};

/// Most rollbacks of one incident that are shown.
const MOST_OF_INCIDENT: i64 = 100;
/// Most incidents that go on whose causes are looked at.
const MOST_OPEN: i64 = 100;

/// Writes down one that somebody asked for.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    tx: &mut Transaction,
    project: ProjectId,
    rollback: &Rollback,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO rollbacks
             (id, project_id, prompt_name, label, from_version, to_version, incident_id,
              is_automatic, actor, state, reason, checks, created_at, next_at, decided_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::TEXT::JSONB, $13, $13, $14)",
        rollback.id.as_uuid(),
        project.as_uuid(),
        rollback.prompt.as_str(),
        rollback.label.as_str(),
        column(rollback.from_version),
        rollback.to_version.map(column),
        rollback.incident.map(IncidentId::as_uuid),
        rollback.is_automatic,
        rollback.actor,
        rollback.state.as_str(),
        rollback.reason,
        json(&rollback.checks),
        rollback.created_at.to_utc(),
        rollback.decided_at.map(Timestamp::to_utc)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Those of a prompt, the newest first, after one in that order.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    name: &PromptName,
    (after, limit): (Option<(Timestamp, RollbackId)>, u32),
) -> Result<Vec<Rollback>, StoreError> {
    let rows = select_rollbacks!(
        "WHERE r.project_id = $1 AND r.prompt_name = $2
             AND ($3::TIMESTAMPTZ IS NULL OR (r.created_at, r.id) < ($3, $4::UUID))
         ORDER BY r.created_at DESC, r.id DESC
         LIMIT $5",
        project.as_uuid(),
        name.as_str(),
        after.map(|(at, _)| at.to_utc()),
        after.map(|(_, id)| id.as_uuid()),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_rollback).collect()
}

/// Those of an incident, in order.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn of_incident(
    db: &Postgres,
    project: ProjectId,
    incident: IncidentId,
) -> Result<Vec<Rollback>, StoreError> {
    let rows = select_rollbacks!(
        "WHERE r.project_id = $1 AND r.incident_id = $2
         ORDER BY r.created_at, r.id
         LIMIT $3",
        project.as_uuid(),
        incident.as_uuid(),
        MOST_OF_INCIDENT
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_rollback).collect()
}

/// One of a prompt.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn find(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    id: RollbackId,
) -> Result<Option<Rollback>, StoreError> {
    let row = select_rollbacks!(
        "WHERE r.project_id = $1 AND r.prompt_name = $2 AND r.id = $3",
        project.as_uuid(),
        name.as_str(),
        id.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(Row::into_rollback).transpose()
}

/// The last one of a prompt, or of one of its labels, that moved a label and was not undone.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn last_applied(
    tx: &mut Transaction,
    project: ProjectId,
    name: &PromptName,
    label: Option<&Label>,
) -> Result<Option<Rollback>, StoreError> {
    let row = select_rollbacks!(
        "WHERE r.project_id = $1 AND r.prompt_name = $2 AND r.state = 'applied'
             AND ($3::TEXT IS NULL OR r.label = $3)
         ORDER BY r.decided_at DESC, r.id DESC
         LIMIT 1",
        project.as_uuid(),
        name.as_str(),
        label.map(Label::as_str)
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(Row::into_rollback).transpose()
}

/// When a label last moved by itself, undone or not.
///
/// # Errors
/// When Postgres is away.
pub async fn last_automatic(
    tx: &mut Transaction,
    project: ProjectId,
    (name, label): (&PromptName, &Label),
) -> Result<Option<Timestamp>, StoreError> {
    let last = sqlx::query_scalar!(
        "SELECT max(decided_at) FROM rollbacks
         WHERE project_id = $1 AND prompt_name = $2 AND label = $3 AND is_automatic
             AND state IN ('applied', 'undone')",
        project.as_uuid(),
        name.as_str(),
        label.as_str()
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(last.map(Into::into))
}

/// Whether a rollback was to be decided because an incident that goes on is laid to a version.
///
/// # Errors
/// When Postgres is away.
pub async fn is_suspect(
    tx: &mut Transaction,
    project: ProjectId,
    (name, version): (&PromptName, u32),
) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM rollbacks r JOIN incidents i ON i.id = r.incident_id
             WHERE r.project_id = $1 AND r.prompt_name = $2 AND r.from_version = $3
                 AND r.is_automatic AND i.state <> 'resolved'
         ) AS "found!""#,
        project.as_uuid(),
        name.as_str(),
        column(version)
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(found)
}

/// What the newest incidents that go on come from, as `POST /api/v1/attributions` gives it.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn open_answers(
    tx: &mut Transaction,
    project: ProjectId,
) -> Result<Vec<Value>, StoreError> {
    let texts = sqlx::query_scalar!(
        r#"SELECT a.answer::TEXT AS "answer!"
         FROM incident_attributions a JOIN incidents i ON i.id = a.incident_id
         WHERE i.project_id = $1 AND i.state <> 'resolved' AND a.answer IS NOT NULL
         ORDER BY i.fired_at DESC, i.id
         LIMIT $2"#,
        project.as_uuid(),
        MOST_OPEN
    )
    .fetch_all(tx.connection())
    .await?;
    let read =
        |text: String| serde_json::from_str(&text).map_err(|error| StoreError::Row(error.into()));
    texts.into_iter().map(read).collect()
}

/// The newest incident that goes on and is laid to a version, with when it began.
///
/// # Errors
/// When Postgres is away.
pub async fn open_incident(
    tx: &mut Transaction,
    project: ProjectId,
    (name, version): (&PromptName, u32),
) -> Result<Option<(IncidentId, Timestamp)>, StoreError> {
    let row = sqlx::query!(
        "SELECT i.id, i.onset
         FROM rollbacks r JOIN incidents i ON i.id = r.incident_id
         WHERE r.project_id = $1 AND r.prompt_name = $2 AND r.from_version = $3
             AND r.is_automatic AND i.state <> 'resolved'
         ORDER BY i.fired_at DESC, i.id
         LIMIT 1",
        project.as_uuid(),
        name.as_str(),
        column(version)
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(|row| (row.id.into(), row.onset.into())))
}

/// Notes that one was undone; whether that is new.
///
/// # Errors
/// When Postgres is away.
pub async fn undo(
    tx: &mut Transaction,
    (project, id): (ProjectId, RollbackId),
    by: &str,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let undone = sqlx::query!(
        "UPDATE rollbacks SET state = 'undone', undone_at = $4, undone_by = $3
         WHERE project_id = $1 AND id = $2 AND state = 'applied'",
        project.as_uuid(),
        id.as_uuid(),
        by,
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(undone.rows_affected() == 1)
}

/// Notes that an incident was over at an instant because everything was normal again; those of its rollbacks that moved a
/// label before.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn recovered(
    tx: &mut Transaction,
    project: ProjectId,
    incident: IncidentId,
    at: Timestamp,
) -> Result<Vec<Rollback>, StoreError> {
    sqlx::query!(
        "UPDATE rollbacks SET recovered_at = $3
         WHERE project_id = $1 AND incident_id = $2 AND state = 'applied' AND decided_at <= $3",
        project.as_uuid(),
        incident.as_uuid(),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    let rows = select_rollbacks!(
        "WHERE r.project_id = $1 AND r.incident_id = $2 AND r.recovered_at = $3
         ORDER BY r.label, r.id",
        project.as_uuid(),
        incident.as_uuid(),
        at.to_utc()
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(Row::into_rollback).collect()
}
