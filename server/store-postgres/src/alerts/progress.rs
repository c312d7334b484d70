//! How far rules are looked at, and by whom: one server at a time looks at those of a project.

use std::collections::BTreeMap;

use domain::alert::state::States;
use domain::alert::{Group, GroupState};
use domain::{AlertRuleId, ProjectId, Timestamp};
use uuid::Uuid;

use super::json;
use crate::{Postgres, StoreError, Transaction};

/// A project whose rules a server looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The project.
    pub project: ProjectId,
    /// The name of this turn.
    pub claim: Uuid,
    /// The last step that was looked at.
    pub evaluated_until: Timestamp,
}

/// Takes a project whose turn it is, and holds it for a while.
///
/// # Errors
/// When Postgres is away.
pub async fn take(
    db: &Postgres,
    claim: Uuid,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<Turn>, StoreError> {
    let row = sqlx::query!(
        "UPDATE alert_progress SET claim = $1, held_until = $3
         WHERE project_id = (
             SELECT project_id FROM alert_progress
             WHERE next_at <= $2 AND (held_until IS NULL OR held_until <= $2)
             ORDER BY next_at
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         RETURNING project_id, evaluated_until",
        claim,
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Turn {
        project: row.project_id.into(),
        claim,
        evaluated_until: row.evaluated_until.into(),
    }))
}

/// The states of a project's rules.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn states(db: &Postgres, project: ProjectId) -> Result<States, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT rule_id, groups::TEXT AS "groups!"
         FROM alert_states
         JOIN alert_rules ON alert_rules.id = rule_id
         WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let read = |text: &str| {
        let groups: Result<Vec<(Group, GroupState)>, _> = serde_json::from_str(text);
        groups.map_err(|error| StoreError::Row(error.into()))
    };
    let states = rows.into_iter().map(|row| {
        let groups = read(&row.groups)?.into_iter().collect();
        Ok((row.rule_id.into(), groups))
    });
    states.collect()
}

/// Ends a turn with how far it came, when the next is due, and what was wrong with single rules; whether the turn is still this one. Nothing else of the
/// transaction may be kept where it is not.
///
/// # Errors
/// When Postgres is away.
pub async fn pass(
    tx: &mut Transaction,
    turn: &Turn,
    (evaluated_until, next_at): (Timestamp, Timestamp),
    error: Option<&str>,
) -> Result<bool, StoreError> {
    let passed = sqlx::query!(
        "UPDATE alert_progress
         SET evaluated_until = $3, next_at = $4, claim = NULL, held_until = NULL, last_error = $5
         WHERE project_id = $1 AND claim = $2",
        turn.project.as_uuid(),
        turn.claim,
        evaluated_until.to_utc(),
        next_at.to_utc(),
        error
    )
    .execute(tx.connection())
    .await?;
    Ok(passed.rows_affected() == 1)
}

/// Ends a turn that came to nothing.
///
/// # Errors
/// When Postgres is away.
pub async fn failed(
    db: &Postgres,
    turn: &Turn,
    (error, next_at): (&str, Timestamp),
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE alert_progress
         SET next_at = $3, claim = NULL, held_until = NULL, last_error = $4
         WHERE project_id = $1 AND claim = $2",
        turn.project.as_uuid(),
        turn.claim,
        next_at.to_utc(),
        error
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Keeps the states of a rule; of one that is gone nothing.
///
/// # Errors
/// When Postgres is away.
pub async fn keep_states(
    tx: &mut Transaction,
    project: ProjectId,
    (rule, groups): (AlertRuleId, &BTreeMap<Group, GroupState>),
    at: Timestamp,
) -> Result<(), StoreError> {
    let groups: Vec<(&Group, &GroupState)> = groups.iter().collect();
    sqlx::query!(
        "INSERT INTO alert_states (rule_id, groups, updated_at)
         SELECT id, $3::TEXT::JSONB, $4 FROM alert_rules WHERE project_id = $1 AND id = $2
         ON CONFLICT ON CONSTRAINT alert_states_pkey
         DO UPDATE SET groups = excluded.groups, updated_at = excluded.updated_at",
        project.as_uuid(),
        rule.as_uuid(),
        json(&groups),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Raises what is recorded of requests until an instant.
///
/// # Errors
/// When Postgres is away.
pub async fn boost(
    tx: &mut Transaction,
    project: ProjectId,
    until: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE alert_progress
         SET boosted_until = greatest(coalesce(boosted_until, $2), $2)
         WHERE project_id = $1",
        project.as_uuid(),
        until.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// How a project's rules stand: how far they are looked at, what went wrong last, until when more is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The last step that was looked at.
    pub evaluated_until: Option<Timestamp>,
    /// What went wrong.
    pub last_error: Option<String>,
    /// Until when all requests are recorded with their token spans.
    pub boosted_until: Option<Timestamp>,
}

/// How a project's rules stand.
///
/// # Errors
/// When Postgres is away.
pub async fn standing(db: &Postgres, project: ProjectId) -> Result<Standing, StoreError> {
    let row = sqlx::query!(
        "SELECT evaluated_until, last_error, boosted_until
         FROM alert_progress
         WHERE project_id = $1",
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    let standing = row.map(|row| Standing {
        evaluated_until: Some(row.evaluated_until.into()),
        last_error: row.last_error,
        boosted_until: row.boosted_until.map(Into::into),
    });
    Ok(standing.unwrap_or_default())
}
