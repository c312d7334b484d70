//! Exports of projects to object stores. Secrets come and go sealed.

/// A row.
mod row;
/// Taking up what is due, and noting how far it is.
mod work;

use domain::blob_storage::{BlobStorage, ExportSettings};
use domain::{OrganisationId, ProjectId, Timestamp};

use crate::{Postgres, StoreError};
use row::Row;

pub use work::{Taken, failed, hold, passed, release, take};

/// The export of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn show(db: &Postgres, project: ProjectId) -> Result<Option<BlobStorage>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        "SELECT
             project_id, kind, bucket, endpoint, region, access_key_id, secret, prefix, frequency,
             is_enabled, is_path_style, file_type, mode, start_at, is_compressed, source,
             field_groups, exported_until, split_until, next_sync_at, last_sync_at, last_error,
             last_error_at, tries, held_until, created_at, updated_at
         FROM blob_storage
         WHERE project_id = $1",
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| row.into_export()))
}

/// Those of an organisation's projects, the oldest first.
///
/// # Errors
/// When Postgres is away.
pub async fn of_organisation(
    db: &Postgres,
    organisation: OrganisationId,
) -> Result<Vec<BlobStorage>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT
             project_id, kind, bucket, endpoint, region, access_key_id, secret, prefix, frequency,
             is_enabled, is_path_style, file_type, mode, start_at, is_compressed, source,
             field_groups, exported_until, split_until, next_sync_at, last_sync_at, last_error,
             last_error_at, tries, held_until, blob_storage.created_at, blob_storage.updated_at
         FROM blob_storage
         JOIN projects ON projects.id = project_id
         WHERE organisation_id = $1
         ORDER BY blob_storage.created_at, project_id",
        organisation.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows.into_iter().map(Row::into_export).collect())
}

/// What is written of an export that is set.
pub struct Set<'s> {
    /// Where to, and what.
    pub settings: &'s ExportSettings,
    /// The sealed secret; `None`: it stays as it is.
    pub secret: Option<&'s [u8]>,
    /// Where the next window begins.
    pub exported_until: Timestamp,
    /// When it is due.
    pub next_sync_at: Timestamp,
    /// Now.
    pub at: Timestamp,
}

/// Makes the export of a project; nothing where it has one. Whether it was made.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    set: &Set<'_>,
    secret: &[u8],
) -> Result<bool, StoreError> {
    let settings = set.settings;
    let groups = row::names(settings);
    let made = sqlx::query!(
        "INSERT INTO blob_storage
             (project_id, kind, bucket, endpoint, region, access_key_id, secret, prefix, frequency,
              is_enabled, is_path_style, file_type, mode, start_at, is_compressed, source,
              field_groups, exported_until, next_sync_at, tries, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                 $19, 0, $20, $20)
         ON CONFLICT ON CONSTRAINT blob_storage_pkey DO NOTHING",
        project.as_uuid(),
        settings.kind.as_str(),
        settings.bucket,
        settings.endpoint,
        settings.region,
        settings.access_key_id,
        secret,
        settings.prefix,
        settings.frequency.as_str(),
        settings.is_enabled,
        settings.is_path_style,
        settings.file_type.as_str(),
        settings.mode.as_str(),
        settings.start.map(Timestamp::to_utc),
        settings.is_compressed,
        settings.source.as_str(),
        groups.as_deref(),
        set.exported_until.to_utc(),
        set.next_sync_at.to_utc(),
        set.at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(made.rows_affected() == 1)
}

/// Sets the export of a project anew, and takes it from whoever works on it; whether it has one.
///
/// # Errors
/// When Postgres is away.
pub async fn replace(db: &Postgres, project: ProjectId, set: &Set<'_>) -> Result<bool, StoreError> {
    let settings = set.settings;
    let groups = row::names(settings);
    let replaced = sqlx::query!(
        "UPDATE blob_storage
         SET
             kind = $2, bucket = $3, endpoint = $4, region = $5, access_key_id = $6,
             secret = coalesce($7, secret), prefix = $8, frequency = $9, is_enabled = $10,
             is_path_style = $11, file_type = $12, mode = $13, start_at = $14, is_compressed = $15,
             source = $16, field_groups = $17, exported_until = $18, next_sync_at = $19,
             updated_at = $20, split_until = NULL, tries = 0, claim = NULL, held_until = NULL,
             last_error = NULL, last_error_at = NULL
         WHERE project_id = $1",
        project.as_uuid(),
        settings.kind.as_str(),
        settings.bucket,
        settings.endpoint,
        settings.region,
        settings.access_key_id,
        set.secret,
        settings.prefix,
        settings.frequency.as_str(),
        settings.is_enabled,
        settings.is_path_style,
        settings.file_type.as_str(),
        settings.mode.as_str(),
        settings.start.map(Timestamp::to_utc),
        settings.is_compressed,
        settings.source.as_str(),
        groups.as_deref(),
        set.exported_until.to_utc(),
        set.next_sync_at.to_utc(),
        set.at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(replaced.rows_affected() == 1)
}

/// Deletes the export of a project; whether it had one.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(db: &Postgres, project: ProjectId) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM blob_storage WHERE project_id = $1",
        project.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}
