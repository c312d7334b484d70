//! Projects that were removed, and whose telemetry has to follow.

use domain::{ProjectId, Timestamp};

use crate::{Postgres, StoreError, Transaction};

/// One whose telemetry is to be removed now.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    /// The project that was.
    pub project_id: ProjectId,
    /// How often that was done before.
    pub passes: u32,
}

/// Removes a project with all that is of it here, and writes down that its telemetry must follow;
/// whether there was such a one.
///
/// # Errors
/// When Postgres is away; then nothing of it happened.
pub async fn remove(db: &Postgres, project: ProjectId, at: Timestamp) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let removed = sqlx::query!("DELETE FROM projects WHERE id = $1", project.as_uuid())
        .execute(tx.connection())
        .await?;
    if removed.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "INSERT INTO removed_projects (project_id, removed_at, passes, next_pass_at)
         VALUES ($1, $2, 0, $2)
         ON CONFLICT ON CONSTRAINT removed_projects_pkey
         DO UPDATE SET removed_at = $2, passes = 0, next_pass_at = $2",
        project.as_uuid(),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    tx.commit().await?;
    Ok(true)
}

/// Takes up one that is due, and keeps others from it until `held_until`.
///
/// # Errors
/// When Postgres is away.
pub async fn take(
    db: &Postgres,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<Due>, StoreError> {
    let row = sqlx::query!(
        "UPDATE removed_projects SET next_pass_at = $2
         WHERE project_id = (
             SELECT project_id FROM removed_projects
             WHERE next_pass_at <= $1
             ORDER BY next_pass_at
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         RETURNING project_id, passes",
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Due {
        project_id: row.project_id.into(),
        passes: row.passes.unsigned_abs(),
    }))
}

/// Notes a pass: the next one is due at `next`; without one it is forgotten.
///
/// # Errors
/// When Postgres is away.
pub async fn passed(
    db: &Postgres,
    project: ProjectId,
    next: Option<Timestamp>,
) -> Result<(), StoreError> {
    match next {
        Some(next) => {
            sqlx::query!(
                "UPDATE removed_projects SET passes = passes + 1, next_pass_at = $2
                 WHERE project_id = $1",
                project.as_uuid(),
                next.to_utc()
            )
            .execute(db.pool())
            .await?
        }
        None => {
            sqlx::query!(
                "DELETE FROM removed_projects WHERE project_id = $1",
                project.as_uuid()
            )
            .execute(db.pool())
            .await?
        }
    };
    Ok(())
}

/// Whether a project of that id was removed and its telemetry may still be there.
///
/// # Errors
/// When Postgres is away.
pub async fn is_pending(db: &Postgres, project: ProjectId) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM removed_projects WHERE project_id = $1
         ) AS "found!""#,
        project.as_uuid()
    )
    .fetch_one(db.pool())
    .await?;
    Ok(found)
}

/// Forgets that a project of that id was removed, for it is made anew.
///
/// # Errors
/// When Postgres is away.
pub async fn forget(tx: &mut Transaction, project: ProjectId) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM removed_projects WHERE project_id = $1",
        project.as_uuid()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
