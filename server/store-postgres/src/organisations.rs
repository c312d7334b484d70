//! Organisations, as the operator manages them.

use domain::tenancy::{DescribedOrganisation, Organisation};
use domain::{OrganisationId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError};

struct Row {
    id: Uuid,
    external_id: Option<String>,
    name: String,
    metadata: Option<String>,
    created_at: OffsetDateTime,
}

impl From<Row> for DescribedOrganisation {
    fn from(row: Row) -> Self {
        DescribedOrganisation {
            organisation: Organisation {
                id: row.id.into(),
                external_id: row.external_id,
                name: row.name,
            },
            metadata: row.metadata,
            created_at: row.created_at.into(),
        }
    }
}

/// All of them, oldest first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres) -> Result<Vec<DescribedOrganisation>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, external_id, name, metadata::TEXT AS metadata, created_at
         FROM organisations
         ORDER BY created_at, id"
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// One of them.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    id: OrganisationId,
) -> Result<Option<DescribedOrganisation>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, external_id, name, metadata::TEXT AS metadata, created_at
         FROM organisations
         WHERE id = $1",
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(Into::into))
}

/// The organisation that owns a project.
///
/// # Errors
/// When Postgres is away.
pub async fn owner_of(
    db: &Postgres,
    project: domain::ProjectId,
) -> Result<Option<OrganisationId>, StoreError> {
    let id = sqlx::query_scalar!(
        "SELECT organisation_id FROM projects WHERE id = $1",
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(id.map(OrganisationId::from))
}

/// Makes one.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    id: OrganisationId,
    (name, metadata): (&str, Option<&str>),
    created_at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO organisations (id, name, metadata, created_at)
         VALUES ($1, $2, $3::TEXT::JSON, $4)",
        id.as_uuid(),
        name,
        metadata,
        created_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Gives one another name and, where it is given, other metadata; whether there is such a one.
///
/// # Errors
/// When Postgres is away.
pub async fn update(
    db: &Postgres,
    id: OrganisationId,
    name: &str,
    metadata: Option<Option<&str>>,
) -> Result<bool, StoreError> {
    let updated = sqlx::query!(
        "UPDATE organisations
         SET name = $2, metadata = CASE WHEN $3 THEN $4::TEXT::JSON ELSE metadata END
         WHERE id = $1",
        id.as_uuid(),
        name,
        metadata.is_some(),
        metadata.flatten()
    )
    .execute(db.pool())
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Deletes one with its members and keys; whether there was such a one.
///
/// # Errors
/// `projects_organisation_id_fkey` while it has projects.
pub async fn delete(db: &Postgres, id: OrganisationId) -> Result<bool, StoreError> {
    let deleted = sqlx::query!("DELETE FROM organisations WHERE id = $1", id.as_uuid())
        .execute(db.pool())
        .await?;
    Ok(deleted.rows_affected() == 1)
}
