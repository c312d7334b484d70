//! What is usual, once it is worked out.

use std::collections::BTreeMap;

use domain::alert::Group;
use domain::alert::baseline::Pools;
use domain::{ProjectId, Timestamp};

use super::json;
use crate::{Postgres, StoreError};

/// What was worked out at an instant; `None`: nothing yet.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    (what, as_of): (&str, Timestamp),
) -> Result<Option<BTreeMap<Group, Pools>>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT groups::TEXT AS "groups!"
         FROM alert_baselines
         WHERE project_id = $1 AND what = $2 AND as_of = $3"#,
        project.as_uuid(),
        what,
        as_of.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    let read = |text: &str| {
        let groups: Result<Vec<(Group, Pools)>, _> = serde_json::from_str(text);
        let groups = groups.map_err(|error| StoreError::Row(error.into()))?;
        Ok(groups.into_iter().collect())
    };
    row.map(|row| read(&row.groups)).transpose()
}

/// Keeps what was worked out at an instant, and forgets what is older than a day before it.
///
/// # Errors
/// When Postgres is away.
pub async fn keep(
    db: &Postgres,
    project: ProjectId,
    (what, as_of): (&str, Timestamp),
    groups: &BTreeMap<Group, Pools>,
) -> Result<(), StoreError> {
    let groups: Vec<(&Group, &Pools)> = groups.iter().collect();
    sqlx::query!(
        "WITH forgotten AS (
             DELETE FROM alert_baselines
             WHERE project_id = $1 AND as_of < $3::TIMESTAMPTZ - INTERVAL '25 hours'
         )
         INSERT INTO alert_baselines (project_id, what, as_of, groups)
         VALUES ($1, $2, $3, $4::TEXT::JSONB)
         ON CONFLICT ON CONSTRAINT alert_baselines_pkey DO UPDATE SET groups = excluded.groups",
        project.as_uuid(),
        what,
        as_of.to_utc(),
        json(&groups)
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Forgets everything that was worked out for a project: what was not received by then counts next time.
///
/// # Errors
/// When Postgres is away.
pub async fn forget(db: &Postgres, project: ProjectId) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM alert_baselines WHERE project_id = $1",
        project.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
