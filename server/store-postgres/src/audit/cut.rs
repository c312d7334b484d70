//! The beginning of a log goes when its time is over.

use domain::audit::CUT;
use domain::{ProjectId, Timestamp};
use serde_json::{Value, json};

use super::{Entry, append};
use crate::{Postgres, StoreError, Transaction};

/// How many entries of a log are of before and would go. An entry goes once all before it do.
///
/// # Errors
/// When Postgres is away; so for all here.
pub async fn count_before(
    db: &Postgres,
    project: ProjectId,
    before: Timestamp,
) -> Result<u64, StoreError> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM audit_log
         WHERE project_id = $1 AND at < $2
             AND entry < COALESCE(
                 (SELECT min(entry) FROM audit_log WHERE project_id = $1 AND at >= $2), 9223372036854775807)"#,
        project.as_uuid(),
        before.to_utc()
    )
    .fetch_one(db.pool())
    .await?;
    Ok(count.unsigned_abs())
}

/// Deletes the entries of before; how many. An entry says so, with the hash that the next one follows.
///
/// # Errors
/// As [`count_before`].
pub async fn cut(
    tx: &mut Transaction,
    project: ProjectId,
    (before, now): (Timestamp, Timestamp),
) -> Result<u64, StoreError> {
    let last = sqlx::query!(
        "SELECT entry, hash FROM audit_log
         WHERE project_id = $1 AND at < $2
             AND entry < COALESCE(
                 (SELECT min(entry) FROM audit_log WHERE project_id = $1 AND at >= $2), 9223372036854775807)
         ORDER BY entry DESC
         LIMIT 1",
        project.as_uuid(),
        before.to_utc()
    )
    .fetch_optional(tx.connection())
    .await?;
    let Some(last) = last else {
        return Ok(0);
    };
    sqlx::query!(
        "UPDATE audit_chains SET cut = $2 WHERE project_id = $1",
        project.as_uuid(),
        last.entry
    )
    .execute(tx.connection())
    .await?;
    let entry = Entry {
        actor: "server".to_owned(),
        action: CUT.into(),
        object: "audit_log".to_owned(),
        before: Value::Null,
        after: json!({ "entries": last.entry, "hash": hex::encode(&last.hash), "before": before.to_string() }),
    };
    append(tx, project, &entry, now).await?;
    let gone = sqlx::query!(
        "DELETE FROM audit_log WHERE project_id = $1 AND entry <= $2",
        project.as_uuid(),
        last.entry
    )
    .execute(tx.connection())
    .await?;
    Ok(gone.rows_affected())
}
