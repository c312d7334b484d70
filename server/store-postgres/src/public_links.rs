//! Whether a project shows its public traces to anybody.

use domain::{ProjectId, Timestamp};

use crate::{Postgres, StoreError};

/// Whether a project shows them; `None` where there is no such project.
///
/// # Errors
/// When Postgres is away.
pub async fn allowed(db: &Postgres, project: ProjectId) -> Result<Option<bool>, StoreError> {
    let allowed = sqlx::query_scalar!(
        "SELECT public_links FROM projects WHERE id = $1",
        project.as_uuid()
    );
    Ok(allowed.fetch_optional(db.pool()).await?)
}

/// Has a project show them, or not.
///
/// # Errors
/// When Postgres is away.
pub async fn allow(
    db: &Postgres,
    project: ProjectId,
    are_shown: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE projects SET public_links = $2, updated_at = $3 WHERE id = $1",
        project.as_uuid(),
        are_shown,
        now.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
