//! Links by which anybody may see a dashboard.

use domain::dashboard::{Dashboard, Document};
use domain::{DashboardId, ProjectId};

use crate::{Postgres, StoreError};

/// The link of a dashboard, where it has one; `None` where there is no such dashboard.
///
/// # Errors
/// When Postgres is away.
pub async fn of(
    db: &Postgres,
    project: ProjectId,
    id: DashboardId,
) -> Result<Option<Option<String>>, StoreError> {
    let link = sqlx::query_scalar!(
        "SELECT link FROM dashboards WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    );
    Ok(link.fetch_optional(db.pool()).await?)
}

/// Gives a dashboard a link where it has none, or takes it away; whether there is such a dashboard.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    db: &Postgres,
    project: ProjectId,
    id: DashboardId,
    link: Option<&str>,
) -> Result<bool, StoreError> {
    let set = sqlx::query!(
        "UPDATE dashboards
         SET link = CASE WHEN $3::TEXT IS NULL THEN NULL ELSE coalesce(link, $3) END
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid(),
        link
    )
    .execute(db.pool())
    .await?;
    Ok(set.rows_affected() == 1)
}

/// The dashboard of a link, with its project, where the project shows what has a link to anybody.
///
/// # Errors
/// When Postgres is away, or what it keeps cannot be understood.
pub async fn find(db: &Postgres, link: &str) -> Result<Option<(ProjectId, Dashboard)>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT
             dashboards.id,
             dashboards.project_id,
             dashboards.document::TEXT AS "document!",
             dashboards.revision,
             dashboards.created_at,
             dashboards.updated_at
         FROM dashboards
         JOIN projects ON projects.id = dashboards.project_id
         WHERE dashboards.link = $1 AND projects.public_links"#,
        link
    )
    .fetch_optional(db.pool())
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let document = Document::from_json(&row.document);
    let dashboard = Dashboard {
        id: row.id.into(),
        document: document.map_err(|fault| StoreError::Row(fault.into()))?,
        revision: u32::try_from(row.revision).unwrap_or(1),
        created_at: row.created_at.into(),
        updated_at: row.updated_at.into(),
    };
    Ok(Some((row.project_id.into(), dashboard)))
}
