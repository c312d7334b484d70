//! Items kept for people, so that no two take the same place. Whoever reserves holds the queue first: what is
//! counted then stays so until the transaction ends.

use domain::annotation::QueueRules;
use domain::{AnnotationItemId, AnnotationQueueId, PersonId, ProjectId, Timestamp};

use super::json;
use crate::{StoreError, Transaction};

/// Holds a queue until the transaction ends; whether the project has it.
///
/// # Errors
/// When Postgres is away.
pub async fn hold_queue(
    tx: &mut Transaction,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<bool, StoreError> {
    let held = sqlx::query_scalar!(
        "SELECT id FROM annotation_queues WHERE project_id = $1 AND id = $2 FOR UPDATE",
        project.as_uuid(),
        queue.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(held.is_some())
}

/// The item of a held queue that comes next for a person: one that is kept for them, else the oldest that has a place
/// left, and those that they skipped in the end.
///
/// # Errors
/// When Postgres is away.
pub async fn next(
    tx: &mut Transaction,
    (queue, rules): (AnnotationQueueId, &QueueRules),
    person: PersonId,
    now: Timestamp,
) -> Result<Option<AnnotationItemId>, StoreError> {
    let found = sqlx::query_scalar!(
        "SELECT i.id
         FROM annotation_items i
         LEFT JOIN annotation_labels own ON own.item_id = i.id AND own.person_id = $2
         WHERE i.queue_id = $1 AND i.status = 'PENDING' AND own.state IS DISTINCT FROM 'done'
             AND (
                 SELECT count(*) FROM annotation_labels l
                 WHERE l.item_id = i.id AND l.person_id <> $2
                     AND (l.state = 'done' OR l.state = 'reserved' AND l.reserved_until > $4)
             ) < $3
         ORDER BY
             (own.state IS NOT DISTINCT FROM 'reserved') DESC,
             CASE WHEN own.state = 'skipped' THEN own.ended_at END NULLS FIRST,
             i.created_at,
             i.id
         LIMIT 1",
        queue.as_uuid(),
        person.as_uuid(),
        i64::from(rules.raters),
        now.to_utc()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(found.map(Into::into))
}

/// Whether an item of a held queue is pending and has a place for a person who has not judged it.
///
/// # Errors
/// When Postgres is away.
pub async fn has_place(
    tx: &mut Transaction,
    (item, rules): (AnnotationItemId, &QueueRules),
    person: PersonId,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let has = sqlx::query_scalar!(
        r#"SELECT i.status = 'PENDING' AND own.state IS DISTINCT FROM 'done' AND (
             SELECT count(*) FROM annotation_labels l
             WHERE l.item_id = i.id AND l.person_id <> $2
                 AND (l.state = 'done' OR l.state = 'reserved' AND l.reserved_until > $4)
         ) < $3 AS "has!"
         FROM annotation_items i
         LEFT JOIN annotation_labels own ON own.item_id = i.id AND own.person_id = $2
         WHERE i.id = $1"#,
        item.as_uuid(),
        person.as_uuid(),
        i64::from(rules.raters),
        now.to_utc()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(has.unwrap_or(false))
}

/// Keeps an item for a person until then; what they said before stays.
///
/// # Errors
/// When Postgres is away.
pub async fn reserve(
    tx: &mut Transaction,
    item: AnnotationItemId,
    person: PersonId,
    (now, until): (Timestamp, Timestamp),
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO annotation_labels
             (item_id, person_id, state, reserved_until, answers, reason, started_at, ended_at)
         VALUES ($1, $2, 'reserved', $4, $5::TEXT::JSONB, '', $3, NULL)
         ON CONFLICT ON CONSTRAINT annotation_labels_pkey DO UPDATE
         SET state = 'reserved', reserved_until = $4, ended_at = NULL,
             started_at = CASE
                 WHEN annotation_labels.state = 'reserved' AND annotation_labels.reserved_until > $3
                 THEN annotation_labels.started_at ELSE $3
             END",
        item.as_uuid(),
        person.as_uuid(),
        now.to_utc(),
        until.to_utc(),
        json(&domain::annotation::Answers::default())?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
