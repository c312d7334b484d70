//! API keys of projects and organisations.

use domain::tenancy::{ApiKey, KeyScope, KeyScopes, Role, Tenant};
use domain::{ApiKeyId, OrganisationId, ProjectId, Timestamp};
use uuid::Uuid;

use crate::projects::role;
use crate::{Postgres, StoreError, Transaction, used_keys};

/// SHA-256 of a secret.
pub type SecretHash = [u8; 32];

/// What a key opens, and the hash that its secret must have.
#[derive(Clone, Debug)]
pub struct Credential {
    /// The key.
    pub id: ApiKeyId,
    /// What it is of.
    pub tenant: Tenant,
    /// What may be done with it.
    pub role: Role,
    /// What it is limited to.
    pub scopes: Option<KeyScopes>,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
    /// SHA-256 of its secret.
    pub secret_hash: Vec<u8>,
}

/// Whether a public key is taken, and by what.
pub struct Taken {
    /// What it is of, or was.
    pub tenant: Tenant,
    /// Whether it was revoked.
    pub is_revoked: bool,
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
        "SELECT id, project_id, organisation_id, role, scopes, expires_at, secret_hash FROM api_keys
         WHERE public_key = $1 AND revoked_at IS NULL",
        public_key
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(|row| {
        Ok(Credential {
            id: row.id.into(),
            tenant: tenant(row.project_id, row.organisation_id)?,
            role: role(&row.role),
            scopes: scopes(row.scopes),
            expires_at: row.expires_at.map(Timestamp::from),
            secret_hash: row.secret_hash,
        })
    })
    .transpose()
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
        "SELECT id, project_id, organisation_id, role, scopes, expires_at, secret_hash FROM api_keys
         WHERE secret_hash = $1 AND revoked_at IS NULL",
        hash.as_slice()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(|row| {
        Ok(Credential {
            id: row.id.into(),
            tenant: tenant(row.project_id, row.organisation_id)?,
            role: role(&row.role),
            scopes: scopes(row.scopes),
            expires_at: row.expires_at.map(Timestamp::from),
            secret_hash: row.secret_hash,
        })
    })
    .transpose()
}

/// Live keys of a project or an organisation, newest first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, tenant: Tenant) -> Result<Vec<ApiKey>, StoreError> {
    let rows = sqlx::query!(
        "SELECT
             id,
             public_key,
             role,
             scopes,
             expires_at,
             secret_hint,
             note,
             created_at,
             last_used_at
         FROM api_keys
         WHERE (project_id = $1 OR organisation_id = $2) AND revoked_at IS NULL
         ORDER BY created_at DESC, id DESC",
        tenant.project().map(ProjectId::as_uuid),
        tenant.organisation().map(OrganisationId::as_uuid)
    )
    .fetch_all(db.pool())
    .await?;
    let keys = rows.into_iter().map(|row| ApiKey {
        id: row.id.into(),
        tenant,
        public_key: row.public_key,
        role: role(&row.role),
        scopes: scopes(row.scopes),
        expires_at: row.expires_at.map(Timestamp::from),
        secret_hint: row.secret_hint,
        note: row.note,
        created_at: row.created_at.into(),
        last_used_at: row.last_used_at.map(Timestamp::from),
    });
    Ok(keys.collect())
}

/// Stores a key; whether it was stored, for one of which a part is in use, or was, is not. Then nothing of
/// the transaction may be kept.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    tx: &mut Transaction,
    key: &ApiKey,
    secret_hash: &SecretHash,
) -> Result<bool, StoreError> {
    let scopes: Option<Vec<String>> = key
        .scopes
        .map(|scopes| scopes.iter().map(|scope| scope.to_string()).collect());
    // What breaks a constraint is told to the log of Postgres.
    let stored = sqlx::query!(
        "INSERT INTO api_keys
             (id, project_id, organisation_id, public_key, role, secret_hash, secret_hint, note,
              created_at, scopes, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT DO NOTHING",
        key.id.as_uuid(),
        key.tenant.project().map(ProjectId::as_uuid),
        key.tenant.organisation().map(OrganisationId::as_uuid),
        key.public_key,
        key.role.as_str(),
        secret_hash.as_slice(),
        key.secret_hint,
        key.note,
        key.created_at.to_utc(),
        scopes.as_deref(),
        key.expires_at.map(Timestamp::to_utc)
    )
    .execute(tx.connection())
    .await?;
    // Afterwards: whoever held the pair until now has left it there.
    let used = used_keys::was_revoked(tx, &key.public_key, secret_hash).await?;
    Ok(stored.rows_affected() == 1 && used.is_none())
}

/// Revokes a key; whether it was live, and of that project or organisation.
///
/// # Errors
/// When Postgres is away.
pub async fn revoke(
    tx: &mut Transaction,
    tenant: Tenant,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let revoked = sqlx::query!(
        "UPDATE api_keys SET revoked_at = $4
         WHERE (project_id = $1 OR organisation_id = $2) AND id = $3 AND revoked_at IS NULL",
        tenant.project().map(ProjectId::as_uuid),
        tenant.organisation().map(OrganisationId::as_uuid),
        id.as_uuid(),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(revoked.rows_affected() == 1)
}

/// Notes that a key was used.
///
/// # Errors
/// When Postgres is away.
pub async fn note_use(
    db: &Postgres,
    tenant: Tenant,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE api_keys SET last_used_at = greatest(last_used_at, $4)
         WHERE (project_id = $1 OR organisation_id = $2) AND id = $3",
        tenant.project().map(ProjectId::as_uuid),
        tenant.organisation().map(OrganisationId::as_uuid),
        id.as_uuid(),
        at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Whether a key with that public part or that secret was ever made, by anybody.
///
/// # Errors
/// When Postgres is away.
pub async fn taken(
    tx: &mut Transaction,
    public_key: &str,
    hash: &SecretHash,
) -> Result<Option<Taken>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT
             project_id,
             organisation_id,
             secret_hash,
             revoked_at IS NOT NULL AS "is_revoked!"
         FROM api_keys
         WHERE public_key = $1 OR secret_hash = $2
         ORDER BY public_key = $1 DESC
         LIMIT 1"#,
        public_key,
        hash.as_slice()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| {
        Ok(Taken {
            tenant: tenant(row.project_id, row.organisation_id)?,
            is_revoked: row.is_revoked,
            secret_hash: row.secret_hash,
        })
    })
    .transpose()
}

/// The public key of the oldest live key of a project, or of the oldest that it ever had, and whether it
/// is live.
///
/// # Errors
/// When Postgres is away.
pub async fn oldest(
    tx: &mut Transaction,
    project: ProjectId,
) -> Result<Option<(String, bool)>, StoreError> {
    let key = sqlx::query!(
        r#"SELECT public_key, revoked_at IS NULL AS "is_live!" FROM api_keys
         WHERE project_id = $1
         ORDER BY revoked_at IS NOT NULL, created_at, id
         LIMIT 1"#,
        project.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(key.map(|row| (row.public_key, row.is_live)))
}

/// The constraint of the table keeps out names that are none, and the empty list.
fn scopes(names: Option<Vec<String>>) -> Option<KeyScopes> {
    let names = names?;
    KeyScopes::new(names.iter().filter_map(|name| KeyScope::from_name(name)))
}

/// What a row is of; a constraint of the table keeps out those that are of nothing, or of both.
fn tenant(project: Option<Uuid>, organisation: Option<Uuid>) -> Result<Tenant, StoreError> {
    match (project, organisation) {
        (Some(id), None) => Ok(Tenant::Project(id.into())),
        (None, Some(id)) => Ok(Tenant::Organisation(id.into())),
        _ => Err(StoreError::Row(
            "a key is of one project or organisation".into(),
        )),
    }
}
