//! Dashboards.

use domain::dashboard::{Dashboard, DashboardSummary, Document};
use domain::{DashboardId, ProjectId, Timestamp};

use crate::{Postgres, StoreError};

/// All of a project, by name.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<DashboardSummary>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             id,
             name,
             coalesce(document ->> 'description', '') AS "description!",
             coalesce(jsonb_array_length(document -> 'widgets'), 0) AS "widgets!",
             updated_at
         FROM dashboards
         WHERE project_id = $1
         ORDER BY lower(name), created_at, id"#,
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let all = rows.into_iter().map(|row| DashboardSummary {
        id: row.id.into(),
        name: row.name,
        description: row.description,
        widgets: u32::try_from(row.widgets).unwrap_or(0),
        updated_at: row.updated_at.into(),
    });
    Ok(all.collect())
}

/// One of a project.
///
/// # Errors
/// When Postgres is away, or what it keeps cannot be understood.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    id: DashboardId,
) -> Result<Option<Dashboard>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT
             document::TEXT AS "document!",
             revision,
             created_at,
             updated_at
         FROM dashboards
         WHERE project_id = $1 AND id = $2"#,
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let document = Document::from_json(&row.document);
    Ok(Some(Dashboard {
        id,
        document: document.map_err(|fault| StoreError::Row(fault.into()))?,
        revision: u32::try_from(row.revision).unwrap_or(1),
        created_at: row.created_at.into(),
        updated_at: row.updated_at.into(),
    }))
}

/// Stores a new one, unless the project has `most` of them already; whether it was stored.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    dashboard: &Dashboard,
    most: i64,
) -> Result<bool, StoreError> {
    let stored = sqlx::query!(
        "INSERT INTO dashboards (id, project_id, name, document, revision, created_at, updated_at)
         SELECT $1, $2, $3, $4::TEXT::JSONB, 1, $5, $5
         WHERE (SELECT count(*) FROM dashboards WHERE project_id = $2) < $6",
        dashboard.id.as_uuid(),
        project.as_uuid(),
        dashboard.document.name,
        dashboard.document.to_json().to_string(),
        dashboard.created_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Replaces what one is made of, as long as it is at that revision; whether it was.
///
/// # Errors
/// When Postgres is away.
pub async fn replace(
    db: &Postgres,
    project: ProjectId,
    (id, revision): (DashboardId, u32),
    document: &Document,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let replaced = sqlx::query!(
        "UPDATE dashboards
         SET name = $4, document = $5::TEXT::JSONB, revision = revision + 1, updated_at = $6
         WHERE project_id = $1 AND id = $2 AND revision = $3",
        project.as_uuid(),
        id.as_uuid(),
        i32::try_from(revision).unwrap_or(i32::MAX),
        document.name,
        document.to_json().to_string(),
        now.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(replaced.rows_affected() == 1)
}

/// Deletes one; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    id: DashboardId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM dashboards WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}
