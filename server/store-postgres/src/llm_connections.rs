//! How to reach providers of models on behalf of a project. Credentials come and go sealed.

use domain::llm_connection::{Adapter, LlmConnection};
use domain::{LlmConnectionId, ProjectId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError};

/// What is kept of credentials: nobody reads them without the server's key.
pub struct Sealed {
    /// The provider's credential.
    pub secret: Vec<u8>,
    /// Headers, JSON of an object.
    pub extra_headers: Option<Vec<u8>>,
}

struct Row {
    id: Uuid,
    provider: String,
    adapter: String,
    secret_hint: String,
    base_url: Option<String>,
    custom_models: Vec<String>,
    with_default_models: bool,
    extra_header_names: Vec<String>,
    config: Option<String>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

impl From<Row> for LlmConnection {
    fn from(row: Row) -> Self {
        LlmConnection {
            id: row.id.into(),
            provider: row.provider,
            // The table's constraint keeps other names out.
            adapter: Adapter::from_name(&row.adapter).unwrap_or_default(),
            secret_hint: row.secret_hint,
            base_url: row.base_url,
            custom_models: row.custom_models,
            with_default_models: row.with_default_models,
            extra_header_names: row.extra_header_names,
            config: row.config,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

/// Those of a project by name, from the one at `offset`, at most `limit`, and how many there are in
/// all.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    (offset, limit): (u64, u32),
) -> Result<(Vec<LlmConnection>, u64), StoreError> {
    let mut tx = db.begin_reading().await?;
    let rows = sqlx::query_as!(
        Row,
        "SELECT
             id,
             provider,
             adapter,
             secret_hint,
             base_url,
             custom_models,
             with_default_models,
             extra_header_names,
             config::TEXT AS config,
             created_at,
             updated_at
         FROM llm_connections
         WHERE project_id = $1
         ORDER BY provider
         LIMIT $2 OFFSET $3",
        project.as_uuid(),
        i64::from(limit),
        i64::try_from(offset).unwrap_or(i64::MAX)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!" FROM llm_connections WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_one(tx.connection())
    .await?;
    let connections = rows.into_iter().map(Into::into).collect();
    Ok((connections, total.unsigned_abs()))
}

/// One of a project with its credentials; `None` where there is none of that id.
///
/// # Errors
/// When Postgres is away.
pub async fn with_credentials(
    db: &Postgres,
    project: ProjectId,
    id: LlmConnectionId,
) -> Result<Option<(LlmConnection, Sealed)>, StoreError> {
    let row = sqlx::query!(
        "SELECT
             id,
             provider,
             adapter,
             secret,
             secret_hint,
             base_url,
             custom_models,
             with_default_models,
             extra_headers,
             extra_header_names,
             config::TEXT AS config,
             created_at,
             updated_at
         FROM llm_connections
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| {
        let sealed = Sealed {
            secret: row.secret,
            extra_headers: row.extra_headers,
        };
        let row = Row {
            id: row.id,
            provider: row.provider,
            adapter: row.adapter,
            secret_hint: row.secret_hint,
            base_url: row.base_url,
            custom_models: row.custom_models,
            with_default_models: row.with_default_models,
            extra_header_names: row.extra_header_names,
            config: row.config,
            created_at: row.created_at,
            updated_at: row.updated_at,
        };
        (row.into(), sealed)
    }))
}

/// The id of a project's connection of that name.
///
/// # Errors
/// When Postgres is away.
pub async fn id_of(
    db: &Postgres,
    project: ProjectId,
    provider: &str,
) -> Result<Option<LlmConnectionId>, StoreError> {
    let id = sqlx::query_scalar!(
        "SELECT id FROM llm_connections WHERE project_id = $1 AND provider = $2",
        project.as_uuid(),
        provider
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(id.map(LlmConnectionId::from))
}

/// Makes one, unless the project has `most` of them already; whether it was made.
///
/// # Errors
/// `llm_connections_project_id_provider_key` when the project has one of that name.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    (new, sealed): (&LlmConnection, &Sealed),
    most: i64,
) -> Result<bool, StoreError> {
    let made = sqlx::query!(
        "INSERT INTO llm_connections
             (id, project_id, provider, adapter, secret, secret_hint, base_url, custom_models,
              with_default_models, extra_headers, extra_header_names, config, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::TEXT::JSON, $13, $13
         WHERE (SELECT count(*) FROM llm_connections WHERE project_id = $2) < $14",
        new.id.as_uuid(),
        project.as_uuid(),
        new.provider,
        new.adapter.as_str(),
        sealed.secret,
        new.secret_hint,
        new.base_url,
        &new.custom_models,
        new.with_default_models,
        sealed.extra_headers,
        &new.extra_header_names,
        new.config,
        new.created_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(made.rows_affected() == 1)
}

/// Puts one in the place of that of the same id; when that was made, `None` where there is none.
///
/// # Errors
/// When Postgres is away.
pub async fn replace(
    db: &Postgres,
    project: ProjectId,
    new: &LlmConnection,
    sealed: &Sealed,
) -> Result<Option<domain::Timestamp>, StoreError> {
    let created_at = sqlx::query_scalar!(
        "UPDATE llm_connections
         SET adapter = $3, secret = $4, secret_hint = $5, base_url = $6, custom_models = $7,
             with_default_models = $8, extra_headers = $9, extra_header_names = $10,
             config = $11::TEXT::JSON, updated_at = $12
         WHERE project_id = $1 AND id = $2
         RETURNING created_at",
        project.as_uuid(),
        new.id.as_uuid(),
        new.adapter.as_str(),
        sealed.secret,
        new.secret_hint,
        new.base_url,
        &new.custom_models,
        new.with_default_models,
        sealed.extra_headers,
        &new.extra_header_names,
        new.config,
        new.updated_at.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(created_at.map(Into::into))
}

/// Deletes one; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    id: LlmConnectionId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM llm_connections WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Any connection's secret with what it was sealed for, to see whether the server's key opens it.
///
/// # Errors
/// When Postgres is away.
pub async fn any_secret(
    db: &Postgres,
) -> Result<Option<(ProjectId, LlmConnectionId, Vec<u8>)>, StoreError> {
    let row = sqlx::query!(
        "SELECT project_id, id, secret FROM llm_connections ORDER BY updated_at DESC LIMIT 1"
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| (row.project_id.into(), row.id.into(), row.secret)))
}
