//! Taking up what is due, and noting how far it is. A turn that was lost, because it took too long or
//! the settings were changed, notes nothing.

use domain::blob_storage::BlobStorage;
use domain::{ProjectId, Timestamp};
use uuid::Uuid;

use super::row::Row;
use crate::{Postgres, StoreError};

/// An export that a server has taken up.
#[derive(Clone)]
pub struct Taken {
    /// The name of this turn.
    pub claim: Uuid,
    /// What it is, and how far.
    pub export: BlobStorage,
    /// The sealed secret.
    pub secret: Vec<u8>,
    /// End of the next window, where the whole one was too large.
    pub split_until: Option<Timestamp>,
    /// How often the window was taken up without being exported, this time included.
    pub tries: u32,
}

/// Takes up an export that is due and that no server works on, and holds it for a while.
///
/// # Errors
/// When Postgres is away.
pub async fn take(
    db: &Postgres,
    claim: Uuid,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<Taken>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        "UPDATE blob_storage
         SET claim = $1, held_until = $3, tries = tries + 1
         WHERE project_id = (
             SELECT project_id FROM blob_storage
             WHERE is_enabled AND next_sync_at <= $2 AND (held_until IS NULL OR held_until <= $2)
             ORDER BY next_sync_at
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         RETURNING
             project_id, kind, bucket, endpoint, region, access_key_id, secret, prefix, frequency,
             is_enabled, is_path_style, file_type, mode, start_at, is_compressed, source,
             field_groups, exported_until, split_until, next_sync_at, last_sync_at, last_error,
             last_error_at, tries, held_until, created_at, updated_at",
        claim,
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| row.into_taken(claim)))
}

/// Holds one for longer; whether the turn is still this one.
///
/// # Errors
/// When Postgres is away.
pub async fn hold(
    db: &Postgres,
    (project, claim): (ProjectId, Uuid),
    held_until: Timestamp,
) -> Result<bool, StoreError> {
    let held = sqlx::query!(
        "UPDATE blob_storage SET held_until = $3 WHERE project_id = $1 AND claim = $2",
        project.as_uuid(),
        claim,
        held_until.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(held.rows_affected() == 1)
}

/// Notes that everything before an instant is exported, and when the next window is due.
///
/// # Errors
/// When Postgres is away.
pub async fn passed(
    db: &Postgres,
    (project, claim): (ProjectId, Uuid),
    (exported_until, next_sync_at): (Timestamp, Timestamp),
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE blob_storage
         SET
             exported_until = $3, next_sync_at = $4, last_sync_at = $5, split_until = NULL,
             last_error = NULL, last_error_at = NULL, tries = 0, claim = NULL, held_until = NULL
         WHERE project_id = $1 AND claim = $2",
        project.as_uuid(),
        claim,
        exported_until.to_utc(),
        next_sync_at.to_utc(),
        at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Notes what a window failed with, and when it is tried again.
///
/// # Errors
/// When Postgres is away.
pub async fn failed(
    db: &Postgres,
    (project, claim): (ProjectId, Uuid),
    (error, next_sync_at): (&str, Timestamp),
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE blob_storage
         SET
             next_sync_at = $4, last_error = $3, last_error_at = $5, claim = NULL,
             held_until = NULL
         WHERE project_id = $1 AND claim = $2",
        project.as_uuid(),
        claim,
        error,
        next_sync_at.to_utc(),
        at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Lets go of one, so that any server may take it up at once; the next window ends at `split_until`
/// where that is given.
///
/// # Errors
/// When Postgres is away.
pub async fn release(
    db: &Postgres,
    (project, claim): (ProjectId, Uuid),
    split_until: Option<Timestamp>,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE blob_storage
         SET
             claim = NULL, held_until = NULL, tries = tries - 1,
             split_until = coalesce($3, split_until)
         WHERE project_id = $1 AND claim = $2",
        project.as_uuid(),
        claim,
        split_until.map(Timestamp::to_utc)
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
