//! Who changed what and when. Rows are written, in the transaction of what they tell of, and never changed.

use domain::{ProjectId, Timestamp};
use serde_json::Value;

use crate::{Postgres, StoreError, Transaction};

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

/// An entry as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// When.
    pub at: Timestamp,
    /// Who: `server`, `operator`, `key:ID` or `person:ID`.
    pub actor: String,
    /// What was done: `prompt.rollback`.
    pub action: String,
    /// What was changed, as it was.
    pub before: Value,
    /// As it is now.
    pub after: Value,
}

/// What was done to a thing, the newest first, at most `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn of_object(
    db: &Postgres,
    project: ProjectId,
    object: &str,
    most: u32,
) -> Result<Vec<Told>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT at, actor, action, before::TEXT AS "before!", after::TEXT AS "after!"
         FROM audit_log
         WHERE project_id = $1 AND object = $2
         ORDER BY id DESC
         LIMIT $3"#,
        project.as_uuid(),
        object,
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    let json = |text: &str| serde_json::from_str(text).unwrap_or_default();
    Ok(rows
        .into_iter()
        .map(|row| Told {
            at: row.at.into(),
            actor: row.actor,
            action: row.action,
            before: json(&row.before),
            after: json(&row.after),
        })
        .collect())
}

/// What was done within a stretch of time, as far as it is one of these actions: with the thing that it was done to
/// (`prompt:NAME`), the newest first, at most `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn within(
    db: &Postgres,
    project: ProjectId,
    actions: &[&str],
    (from, to): (Timestamp, Timestamp),
    most: u32,
) -> Result<Vec<(String, Told)>, StoreError> {
    let actions: Vec<String> = actions.iter().map(|action| (*action).to_owned()).collect();
    let rows = sqlx::query!(
        r#"SELECT object, at, actor, action, before::TEXT AS "before!", after::TEXT AS "after!"
         FROM audit_log
         WHERE project_id = $1 AND at >= $2 AND at < $3 AND action = ANY ($4)
         ORDER BY at DESC, id DESC
         LIMIT $5"#,
        project.as_uuid(),
        from.to_utc(),
        to.to_utc(),
        actions.as_slice(),
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    let json = |text: &str| serde_json::from_str(text).unwrap_or_default();
    let told = rows.into_iter().map(|row| {
        let told = Told {
            at: row.at.into(),
            actor: row.actor,
            action: row.action,
            before: json(&row.before),
            after: json(&row.after),
        };
        (row.object, told)
    });
    Ok(told.collect())
}
