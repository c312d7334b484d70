//! Things in queues: put there, listed with how far each is.

use domain::annotation::{AnnotationItem, Answers, ItemStatus, ObjectKind, Placed};
use domain::{AnnotationItemId, AnnotationQueueId, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{answers, json};
use crate::{Postgres, StoreError, Transaction};

/// A thing to be put into a queue.
#[derive(Clone, Debug)]
pub struct Put {
    /// The id of its item.
    pub id: AnnotationItemId,
    /// The id of the thing.
    pub object_id: String,
    /// What it is compared with.
    pub second_id: Option<String>,
}

struct Row {
    id: Uuid,
    queue_id: Uuid,
    object_kind: String,
    object_id: String,
    second_id: Option<String>,
    known: Option<String>,
    status: String,
    completed_at: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    done: i64,
    skipped: i64,
}

/// A query of items with how far they are: what follows the columns, then its parameters.
macro_rules! select_placed {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 i.id,
                 i.queue_id,
                 i.object_kind,
                 i.object_id,
                 i.second_id,
                 i.known::TEXT AS "known?",
                 i.status,
                 i.completed_at,
                 i.created_at,
                 i.updated_at,
                 (SELECT count(*) FROM annotation_labels l WHERE l.item_id = i.id AND l.state = 'done')
                     AS "done!",
                 (SELECT count(*) FROM annotation_labels l WHERE l.item_id = i.id AND l.state = 'skipped')
                     AS "skipped!"
             FROM annotation_items i
             JOIN annotation_queues q ON q.id = i.queue_id "# + $rest
            $(, $parameter)*
        )
    };
}

/// Puts those into a held queue that are not there yet, as long as it has fewer than `most` items; how many were put.
///
/// # Errors
/// When Postgres is away.
pub async fn put(
    tx: &mut Transaction,
    (project, queue): (ProjectId, AnnotationQueueId),
    (kind, things): (ObjectKind, &[Put]),
    (now, most): (Timestamp, i64),
) -> Result<u64, StoreError> {
    let ids: Vec<Uuid> = things.iter().map(|thing| thing.id.as_uuid()).collect();
    let objects: Vec<String> = things.iter().map(|thing| thing.object_id.clone()).collect();
    let seconds: Vec<Option<String>> = things.iter().map(|thing| thing.second_id.clone()).collect();
    let stored = sqlx::query!(
        "INSERT INTO annotation_items
             (id, queue_id, object_kind, object_id, second_id, status, created_at, updated_at)
         SELECT v.id, q.id, $3, v.object_id, v.second_id, 'PENDING', $7, $7
         FROM annotation_queues q
         CROSS JOIN unnest($4::UUID[], $5::TEXT[], $6::TEXT[]) WITH ORDINALITY
             AS v (id, object_id, second_id, place)
         WHERE q.project_id = $1 AND q.id = $2
             AND (SELECT count(*) FROM annotation_items WHERE queue_id = $2) + v.place <= $8
             AND NOT EXISTS (
                 SELECT 1 FROM annotation_items i
                 WHERE i.queue_id = $2 AND i.object_kind = $3 AND i.object_id = v.object_id
                     AND i.second_id IS NOT DISTINCT FROM v.second_id
             )",
        project.as_uuid(),
        queue.as_uuid(),
        kind.as_str(),
        &ids,
        &objects,
        &seconds as &[Option<String>],
        now.to_utc(),
        most
    )
    .execute(tx.connection())
    .await?;
    Ok(stored.rows_affected())
}

/// Items of a queue of the project, of one status where one is given, the oldest first, from the one at `offset`, at most
/// `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    (queue, status): (AnnotationQueueId, Option<ItemStatus>),
    (offset, limit): (u64, u32),
) -> Result<Vec<Placed>, StoreError> {
    let rows = select_placed!(
        "WHERE q.project_id = $1 AND q.id = $2 AND ($3::TEXT IS NULL OR i.status = $3)
         ORDER BY i.created_at, i.id
         LIMIT $4 OFFSET $5",
        project.as_uuid(),
        queue.as_uuid(),
        status.map(ItemStatus::as_str),
        i64::from(limit),
        i64::try_from(offset).unwrap_or(i64::MAX)
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_placed).collect()
}

/// One of them; `None` when the project has no such item in that queue.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
    id: AnnotationItemId,
) -> Result<Option<Placed>, StoreError> {
    let row = select_placed!(
        "WHERE q.project_id = $1 AND q.id = $2 AND i.id = $3",
        project.as_uuid(),
        queue.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::into_placed).transpose()
}

/// Items whose right answers are known, with these.
///
/// # Errors
/// When Postgres is away.
pub async fn known(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<Vec<(AnnotationItemId, Answers)>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT i.id, i.known::TEXT AS "known!"
         FROM annotation_items i
         JOIN annotation_queues q ON q.id = i.queue_id
         WHERE q.project_id = $1 AND q.id = $2 AND i.known IS NOT NULL
         ORDER BY i.id"#,
        project.as_uuid(),
        queue.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter()
        .map(|row| Ok((row.id.into(), answers(&row.known)?)))
        .collect()
}

/// Sets the right answers of an item, or takes them away; whether the project has it.
///
/// # Errors
/// When Postgres is away.
pub async fn set_known(
    db: &Postgres,
    (project, queue): (ProjectId, AnnotationQueueId),
    id: AnnotationItemId,
    known: Option<&Answers>,
) -> Result<bool, StoreError> {
    let known = known.map(json).transpose()?;
    let changed = sqlx::query!(
        "UPDATE annotation_items i
         SET known = $4::TEXT::JSONB
         FROM annotation_queues q
         WHERE q.id = i.queue_id AND q.project_id = $1 AND q.id = $2 AND i.id = $3",
        project.as_uuid(),
        queue.as_uuid(),
        id.as_uuid(),
        known
    )
    .execute(db.pool())
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Items around one, in their order: the one before and the one after.
///
/// # Errors
/// When Postgres is away.
pub async fn neighbours(
    db: &Postgres,
    project: ProjectId,
    item: &AnnotationItem,
) -> Result<(Option<AnnotationItemId>, Option<AnnotationItemId>), StoreError> {
    let row = sqlx::query!(
        r#"SELECT
             (SELECT i.id FROM annotation_items i
              WHERE i.queue_id = q.id AND (i.created_at, i.id) < ($3, $4)
              ORDER BY i.created_at DESC, i.id DESC LIMIT 1) AS before,
             (SELECT i.id FROM annotation_items i
              WHERE i.queue_id = q.id AND (i.created_at, i.id) > ($3, $4)
              ORDER BY i.created_at, i.id LIMIT 1) AS after
         FROM annotation_queues q
         WHERE q.project_id = $1 AND q.id = $2"#,
        project.as_uuid(),
        item.queue_id.as_uuid(),
        item.created_at.to_utc(),
        item.id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map_or((None, None), |row| {
        (row.before.map(Into::into), row.after.map(Into::into))
    }))
}

impl Row {
    fn into_placed(self) -> Result<Placed, StoreError> {
        let unknown = || StoreError::Row("a kind or status that there is not".into());
        Ok(Placed {
            item: AnnotationItem {
                id: self.id.into(),
                queue_id: self.queue_id.into(),
                kind: ObjectKind::from_name(&self.object_kind).ok_or_else(unknown)?,
                object_id: self.object_id,
                status: ItemStatus::from_name(&self.status).ok_or_else(unknown)?,
                completed_at: self.completed_at.map(Into::into),
                created_at: self.created_at.into(),
                updated_at: self.updated_at.into(),
            },
            second_id: self.second_id,
            known: self.known.as_deref().map(answers).transpose()?,
            done: self.done.unsigned_abs(),
            skipped: self.skipped.unsigned_abs(),
        })
    }
}
