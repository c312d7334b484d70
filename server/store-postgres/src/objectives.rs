//! How soon answers should come, as projects set it.

use domain::objective::{Objective, ObjectiveDraft};
use domain::pattern::NamePattern;
use domain::{ObjectiveId, ProjectId};

use crate::{Postgres, StoreError};

/// All objectives of a project, by model, the oldest first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<Objective>, StoreError> {
    let rows = sqlx::query!(
        "SELECT
             id,
             model,
             ttft_ms,
             tpot_ms,
             created_at
         FROM objectives
         WHERE project_id = $1
         ORDER BY lower(model), created_at, id",
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let objectives = rows.into_iter().map(|row| Objective {
        id: row.id.into(),
        draft: ObjectiveDraft {
            model: NamePattern::new(&row.model),
            ttft_ms: row.ttft_ms,
            tpot_ms: row.tpot_ms,
        },
        created_at: row.created_at.into(),
    });
    Ok(objectives.collect())
}

/// Stores an objective, unless the project has `most` of them already; whether it was stored.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    objective: &Objective,
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &objective.draft;
    let stored = sqlx::query!(
        "INSERT INTO objectives (id, project_id, model, ttft_ms, tpot_ms, created_at)
         SELECT $1, $2, $3, $4, $5, $6
         WHERE (SELECT count(*) FROM objectives WHERE project_id = $2) < $7",
        objective.id.as_uuid(),
        project.as_uuid(),
        draft.model.as_str(),
        draft.ttft_ms,
        draft.tpot_ms,
        objective.created_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Deletes an objective; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    id: ObjectiveId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM objectives WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}
