//! How requests of a project find their instances, and these their GPUs.

use domain::axes::Topology;
use domain::{ProjectId, Timestamp};

use crate::{Postgres, StoreError};

/// The rules that a project set, with when; `None` while it has none of its own.
///
/// # Errors
/// When Postgres is away.
pub async fn find(
    db: &Postgres,
    project: ProjectId,
) -> Result<Option<(Topology, Timestamp)>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT rules::TEXT AS "rules!", updated_at
         FROM topologies
         WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    // What is no such rules was not written here.
    Ok(row.map(|row| {
        let rules = serde_json::from_str(&row.rules).unwrap_or_default();
        (rules, row.updated_at.into())
    }))
}

/// Sets the rules of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    db: &Postgres,
    project: ProjectId,
    (topology, now): (&Topology, Timestamp),
) -> Result<(), StoreError> {
    let rules = serde_json::to_string(topology).unwrap_or_else(|_| "{}".to_owned());
    sqlx::query!(
        "INSERT INTO topologies (project_id, rules, updated_at)
         VALUES ($1, $2::TEXT::JSONB, $3)
         ON CONFLICT ON CONSTRAINT topologies_pkey
         DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at",
        project.as_uuid(),
        rules,
        now.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Takes them away, so that the usual ones hold again.
///
/// # Errors
/// When Postgres is away.
pub async fn clear(db: &Postgres, project: ProjectId) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM topologies WHERE project_id = $1",
        project.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
