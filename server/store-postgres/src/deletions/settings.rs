//! How projects forget users.

use domain::ProjectId;
use domain::deletion::{DeletionSettings, SharedTraces};

use crate::{Postgres, StoreError};

/// As a project set it, or as is usual.
///
/// # Errors
/// When Postgres is away.
pub async fn settings(db: &Postgres, project: ProjectId) -> Result<DeletionSettings, StoreError> {
    let row = sqlx::query!(
        "SELECT shared_traces, tombstone_days FROM deletion_settings WHERE project_id = $1",
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(
        row.map_or_else(DeletionSettings::default, |row| DeletionSettings {
            shared_traces: SharedTraces::from_name(&row.shared_traces).unwrap_or_default(),
            tombstone_days: row.tombstone_days.unsigned_abs(),
        }),
    )
}

/// Sets it.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    db: &Postgres,
    project: ProjectId,
    settings: DeletionSettings,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO deletion_settings (project_id, shared_traces, tombstone_days)
         VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT deletion_settings_pkey
         DO UPDATE SET shared_traces = $2, tombstone_days = $3",
        project.as_uuid(),
        settings.shared_traces.as_str(),
        i32::try_from(settings.tombstone_days).unwrap_or(i32::MAX)
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
