//! Files between their upload and their import.

use domain::{DatasetId, DatasetUploadId, ProjectId, Timestamp};

use crate::{Postgres, StoreError, Transaction};

/// A file that waits to be imported.
#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    /// Its id.
    pub id: DatasetUploadId,
    /// What it was called.
    pub name: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// Keeps a file, and forgets those of all projects that came before a time.
///
/// # Errors
/// When Postgres is away.
pub async fn keep_upload(
    tx: &mut Transaction,
    (project, dataset): (ProjectId, DatasetId),
    upload: &Upload,
    (now, forgotten): (Timestamp, Timestamp),
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM dataset_uploads WHERE created_at < $1",
        forgotten.to_utc()
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "INSERT INTO dataset_uploads (id, project_id, dataset_id, name, content, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        upload.id.as_uuid(),
        project.as_uuid(),
        dataset.as_uuid(),
        upload.name,
        upload.content,
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// How many bytes of files of a project wait.
///
/// # Errors
/// When Postgres is away.
pub async fn uploaded_bytes(tx: &mut Transaction, project: ProjectId) -> Result<u64, StoreError> {
    let bytes = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(octet_length(content)), 0)::BIGINT AS "bytes!"
         FROM dataset_uploads WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(bytes.unsigned_abs())
}

/// A file of a dataset.
///
/// # Errors
/// When Postgres is away.
pub async fn find_upload(
    db: &Postgres,
    (project, dataset): (ProjectId, DatasetId),
    id: DatasetUploadId,
) -> Result<Option<Upload>, StoreError> {
    let row = sqlx::query!(
        "SELECT name, content FROM dataset_uploads
         WHERE project_id = $1 AND dataset_id = $2 AND id = $3",
        project.as_uuid(),
        dataset.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Upload {
        id,
        name: row.name,
        content: row.content,
    }))
}

/// Forgets a file; whether it was there, so that it is imported once.
///
/// # Errors
/// When Postgres is away.
pub async fn forget_upload(
    tx: &mut Transaction,
    (project, dataset): (ProjectId, DatasetId),
    id: DatasetUploadId,
) -> Result<bool, StoreError> {
    let gone = sqlx::query!(
        "DELETE FROM dataset_uploads WHERE project_id = $1 AND dataset_id = $2 AND id = $3",
        project.as_uuid(),
        dataset.as_uuid(),
        id.as_uuid()
    )
    .execute(tx.connection())
    .await?;
    Ok(gone.rows_affected() == 1)
}
