//! What projects set for all their rules.

use domain::alert::AlertSettings;
use domain::{ProjectId, Timestamp};

use super::json;
use crate::{Postgres, StoreError};

/// The settings of a project; the usual ones where it has set none.
///
/// # Errors
/// When Postgres is away.
pub async fn show(db: &Postgres, project: ProjectId) -> Result<AlertSettings, StoreError> {
    let row = sqlx::query!(
        r#"SELECT settings::TEXT AS "settings!" FROM alert_settings WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    // What is no such definition was not written here.
    let read = |text: String| serde_json::from_str(&text).unwrap_or_default();
    Ok(row.map(|row| read(row.settings)).unwrap_or_default())
}

/// Sets those of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    db: &Postgres,
    project: ProjectId,
    settings: &AlertSettings,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO alert_settings (project_id, settings, updated_at)
         VALUES ($1, $2::TEXT::JSONB, $3)
         ON CONFLICT ON CONSTRAINT alert_settings_pkey
         DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at",
        project.as_uuid(),
        json(settings),
        at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
