//! What must not be deleted for the time being.

use domain::legal_hold::LegalHold;
use domain::{LegalHoldId, ProjectId};

use crate::{Postgres, StoreError, Transaction};

/// Those of a project, the newest first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<LegalHold>, StoreError> {
    let rows = sqlx::query!(
        "SELECT id, user_id, reason, created_by, created_at
         FROM legal_holds
         WHERE project_id = $1
         ORDER BY created_at DESC, id",
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let holds = rows.into_iter().map(|row| LegalHold {
        id: row.id.into(),
        user_id: row.user_id,
        reason: row.reason,
        created_by: row.created_by,
        created_at: row.created_at.into(),
    });
    Ok(holds.collect())
}

/// Sets one, unless the user is held already or there are `most`; whether it was set.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    tx: &mut Transaction,
    project: ProjectId,
    hold: &LegalHold,
    most: i64,
) -> Result<bool, StoreError> {
    let stored = sqlx::query!(
        "INSERT INTO legal_holds (id, project_id, user_id, reason, created_by, created_at)
         SELECT $1, $2, $3, $4, $5, $6
         WHERE (SELECT count(*) FROM legal_holds WHERE project_id = $2) < $7
         ON CONFLICT ON CONSTRAINT legal_holds_project_id_user_id_key DO NOTHING",
        hold.id.as_uuid(),
        project.as_uuid(),
        hold.user_id,
        hold.reason,
        hold.created_by,
        hold.created_at.to_utc(),
        most
    )
    .execute(tx.connection())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Lifts one; whether there was one.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    tx: &mut Transaction,
    project: ProjectId,
    id: LegalHoldId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM legal_holds WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(tx.connection())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Those of some users who are held.
///
/// # Errors
/// When Postgres is away.
pub async fn held(
    tx: &mut Transaction,
    project: ProjectId,
    users: &[String],
) -> Result<Vec<String>, StoreError> {
    let held = sqlx::query_scalar!(
        "SELECT user_id FROM legal_holds WHERE project_id = $1 AND user_id = ANY ($2) ORDER BY user_id",
        project.as_uuid(),
        users
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(held)
}
