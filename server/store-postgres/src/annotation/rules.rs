//! Rules of queues.

use domain::annotation::{AnnotationQueue, QueueRules};
use domain::{AnnotationQueueId, ProjectId};
use uuid::Uuid;

use crate::{Postgres, StoreError, Transaction};

/// The rules of a queue; `None` when the project has none of that id.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<Option<QueueRules>, StoreError> {
    let row = sqlx::query!(
        "SELECT rubric, raters, reservation_s, is_blind, is_pairwise, archived_at
         FROM annotation_queues
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        queue.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| QueueRules {
        rubric: row.rubric,
        raters: row.raters.unsigned_abs(),
        reservation_s: row.reservation_s.unsigned_abs(),
        is_blind: row.is_blind,
        is_pairwise: row.is_pairwise,
        archived_at: row.archived_at.map(Into::into),
    }))
}

/// Changes a queue with its rules; whether the project has it.
///
/// # Errors
/// `annotation_queues_project_id_name_key` when another one has the name.
pub async fn update(
    tx: &mut Transaction,
    project: ProjectId,
    queue: &AnnotationQueue,
    rules: &QueueRules,
) -> Result<bool, StoreError> {
    let draft = &queue.draft;
    let configs: Vec<Uuid> = draft.score_configs.iter().map(|id| id.as_uuid()).collect();
    let changed = sqlx::query!(
        "UPDATE annotation_queues
         SET name = $3, description = $4, score_config_ids = $5, rubric = $6, raters = $7,
             reservation_s = $8, is_blind = $9, is_pairwise = $10, archived_at = $11, updated_at = $12
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        queue.id.as_uuid(),
        draft.name,
        draft.description,
        &configs,
        rules.rubric,
        i32::try_from(rules.raters).unwrap_or(i32::MAX),
        i32::try_from(rules.reservation_s).unwrap_or(i32::MAX),
        rules.is_blind,
        rules.is_pairwise,
        rules.archived_at.map(|at| at.to_utc()),
        queue.updated_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Stores a new queue with its rules, unless the project has `most` of them already; whether it was stored.
///
/// # Errors
/// `annotation_queues_project_id_name_key` when the name was taken meanwhile.
pub async fn create(
    tx: &mut Transaction,
    project: ProjectId,
    queue: &AnnotationQueue,
    (rules, most): (&QueueRules, i64),
) -> Result<bool, StoreError> {
    let draft = &queue.draft;
    let configs: Vec<Uuid> = draft.score_configs.iter().map(|id| id.as_uuid()).collect();
    let stored = sqlx::query!(
        "INSERT INTO annotation_queues
             (id, project_id, name, description, score_config_ids, rubric, raters, reservation_s,
              is_blind, is_pairwise, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11
         WHERE (SELECT count(*) FROM annotation_queues WHERE project_id = $2) < $12",
        queue.id.as_uuid(),
        project.as_uuid(),
        draft.name,
        draft.description,
        &configs,
        rules.rubric,
        i32::try_from(rules.raters).unwrap_or(i32::MAX),
        i32::try_from(rules.reservation_s).unwrap_or(i32::MAX),
        rules.is_blind,
        rules.is_pairwise,
        queue.created_at.to_utc(),
        most
    )
    .execute(tx.connection())
    .await?;
    Ok(stored.rows_affected() == 1)
}
