//! API keys of a project.

use domain::tenancy::{ApiKey, Role};
use domain::{ApiKeyId, ProjectId, Timestamp};

use crate::projects::role;
use crate::{Postgres, StoreError, Transaction};

/// SHA-256 of a secret.
pub type SecretHash = [u8; 32];

/// What a key opens, and the hash that its secret must have.
#[derive(Clone, Debug)]
pub struct Credential {
    /// The key.
    pub id: ApiKeyId,
    /// The project that it opens.
    pub project_id: ProjectId,
    /// What may be done with it.
    pub role: Role,
    /// SHA-256 of its secret.
    pub secret_hash: Vec<u8>,
}

/// Whether a public key is taken, and by what.
pub struct Taken {
    /// Project that it opens, or opened.
    pub project_id: ProjectId,
    /// SHA-256 of its secret.
    pub secret_hash: Vec<u8>,
}

/// The live key of that public part.
///
/// # Errors
/// When Postgres is away.
pub async fn by_public_key(
    db: &Postgres,
    public_key: &str,
) -> Result<Option<Credential>, StoreError> {
    let row = sqlx::query!(
        "SELECT id, project_id, role, secret_hash FROM api_keys
         WHERE public_key = $1 AND revoked_at IS NULL",
        public_key
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Credential {
        id: row.id.into(),
        project_id: row.project_id.into(),
        role: role(&row.role),
        secret_hash: row.secret_hash,
    }))
}

/// The live key whose secret has that hash.
///
/// # Errors
/// When Postgres is away.
pub async fn by_secret_hash(
    db: &Postgres,
    hash: &SecretHash,
) -> Result<Option<Credential>, StoreError> {
    let row = sqlx::query!(
        "SELECT id, project_id, role, secret_hash FROM api_keys
         WHERE secret_hash = $1 AND revoked_at IS NULL",
        hash.as_slice()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Credential {
        id: row.id.into(),
        project_id: row.project_id.into(),
        role: role(&row.role),
        secret_hash: row.secret_hash,
    }))
}

/// Live keys of a project, newest first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<ApiKey>, StoreError> {
    let rows = sqlx::query!(
        "SELECT
             id,
             public_key,
             role,
             secret_hint,
             note,
             created_at,
             last_used_at
         FROM api_keys
         WHERE project_id = $1 AND revoked_at IS NULL
         ORDER BY created_at DESC, id DESC",
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let keys = rows.into_iter().map(|row| ApiKey {
        id: row.id.into(),
        project_id: project,
        public_key: row.public_key,
        role: role(&row.role),
        secret_hint: row.secret_hint,
        note: row.note,
        created_at: row.created_at.into(),
        last_used_at: row.last_used_at.map(Timestamp::from),
    });
    Ok(keys.collect())
}

/// Stores a key.
///
/// # Errors
/// `api_keys_public_key_key` or `api_keys_secret_hash_key` when it is taken.
pub async fn create(
    tx: &mut Transaction,
    key: &ApiKey,
    secret_hash: &SecretHash,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO api_keys
             (id, project_id, public_key, role, secret_hash, secret_hint, note, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        key.id.as_uuid(),
        key.project_id.as_uuid(),
        key.public_key,
        key.role.as_str(),
        secret_hash.as_slice(),
        key.secret_hint,
        key.note,
        key.created_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Revokes a key; whether the project had it live.
///
/// # Errors
/// When Postgres is away.
pub async fn revoke(
    db: &Postgres,
    project: ProjectId,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let revoked = sqlx::query!(
        "UPDATE api_keys SET revoked_at = $3
         WHERE project_id = $1 AND id = $2 AND revoked_at IS NULL",
        project.as_uuid(),
        id.as_uuid(),
        at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(revoked.rows_affected() == 1)
}

/// Notes that a key was used.
///
/// # Errors
/// When Postgres is away.
pub async fn note_use(
    db: &Postgres,
    project: ProjectId,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE api_keys SET last_used_at = greatest(last_used_at, $3)
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid(),
        at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Whether a key with that public part or that secret was ever made, by any project.
///
/// # Errors
/// When Postgres is away.
pub async fn taken(
    tx: &mut Transaction,
    public_key: &str,
    hash: &SecretHash,
) -> Result<Option<Taken>, StoreError> {
    let row = sqlx::query!(
        "SELECT project_id, secret_hash FROM api_keys
         WHERE public_key = $1 OR secret_hash = $2
         ORDER BY public_key = $1 DESC
         LIMIT 1",
        public_key,
        hash.as_slice()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(|row| Taken {
        project_id: row.project_id.into(),
        secret_hash: row.secret_hash,
    }))
}

/// The public key of the oldest key that a project ever had, and whether it is live.
///
/// # Errors
/// When Postgres is away.
pub async fn oldest(
    tx: &mut Transaction,
    project: ProjectId,
) -> Result<Option<String>, StoreError> {
    let key = sqlx::query_scalar!(
        "SELECT public_key FROM api_keys
         WHERE project_id = $1
         ORDER BY revoked_at IS NOT NULL, created_at, id
         LIMIT 1",
        project.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(key)
}
