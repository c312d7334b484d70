//! How far queues are. What is counted is what is there now.

use std::collections::HashMap;

use domain::annotation::{Pace, Progress};
use domain::{AnnotationQueueId, PersonId, ProjectId};
use uuid::Uuid;

use crate::{Postgres, StoreError};

/// Of some queues of the project.
///
/// # Errors
/// When Postgres is away.
pub async fn of_queues(
    db: &Postgres,
    project: ProjectId,
    queues: &[AnnotationQueueId],
) -> Result<HashMap<AnnotationQueueId, Progress>, StoreError> {
    let ids: Vec<Uuid> = queues.iter().map(|id| id.as_uuid()).collect();
    let rows = sqlx::query!(
        r#"SELECT
             q.id,
             items.total AS "total!",
             items.completed AS "completed!",
             items.skipped AS "skipped!",
             done.raters AS "raters!",
             done.mean_s AS "mean_s?"
         FROM annotation_queues q
         CROSS JOIN LATERAL (
             SELECT
                 count(*) AS total,
                 count(*) FILTER (WHERE i.status = 'COMPLETED') AS completed,
                 count(*) FILTER (WHERE i.status = 'PENDING' AND EXISTS (
                     SELECT 1 FROM annotation_labels l WHERE l.item_id = i.id AND l.state = 'skipped'
                 )) AS skipped
             FROM annotation_items i
             WHERE i.queue_id = q.id
         ) items
         CROSS JOIN LATERAL (
             SELECT
                 count(DISTINCT l.person_id) AS raters,
                 avg(extract(EPOCH FROM l.ended_at - l.started_at))::DOUBLE PRECISION AS mean_s
             FROM annotation_labels l
             JOIN annotation_items i ON i.id = l.item_id
             WHERE i.queue_id = q.id AND l.state = 'done'
         ) done
         WHERE q.project_id = $1 AND q.id = ANY ($2)"#,
        project.as_uuid(),
        &ids
    )
    .fetch_all(db.pool())
    .await?;
    let progress = rows.into_iter().map(|row| {
        let progress = Progress {
            total: row.total.unsigned_abs(),
            completed: row.completed.unsigned_abs(),
            skipped: row.skipped.unsigned_abs(),
            raters: row.raters.unsigned_abs(),
            mean_s: row.mean_s,
        };
        (row.id.into(), progress)
    });
    Ok(progress.collect())
}

/// Of one person in a queue of the project.
///
/// # Errors
/// When Postgres is away.
pub async fn of_person(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
    person: PersonId,
) -> Result<Pace, StoreError> {
    let row = sqlx::query!(
        r#"SELECT
             count(*) AS "done!",
             percentile_cont(0.5) WITHIN GROUP (
                 ORDER BY extract(EPOCH FROM l.ended_at - l.started_at)::DOUBLE PRECISION
             ) AS "median_s?"
         FROM annotation_labels l
         JOIN annotation_items i ON i.id = l.item_id
         JOIN annotation_queues q ON q.id = i.queue_id
         WHERE q.project_id = $1 AND q.id = $2 AND l.person_id = $3 AND l.state = 'done'"#,
        project.as_uuid(),
        queue.as_uuid(),
        person.as_uuid()
    )
    .fetch_one(db.pool())
    .await?;
    Ok(Pace {
        done: row.done.unsigned_abs(),
        median_s: row.median_s,
    })
}
