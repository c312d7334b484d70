//! What waits in the queues of a project.

use domain::annotation::{AnnotationItem, ItemStatus, ObjectKind};
use domain::{AnnotationItemId, AnnotationQueueId, ProjectId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError, Transaction};

struct Row {
    id: Uuid,
    queue_id: Uuid,
    object_kind: String,
    object_id: String,
    status: String,
    completed_at: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

/// A query of items: what follows the columns, then its parameters.
macro_rules! select_annotation_items {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 i.id,
                 i.queue_id,
                 i.object_kind,
                 i.object_id,
                 i.status,
                 i.completed_at,
                 i.created_at,
                 i.updated_at
             FROM annotation_items i "# + $rest
            $(, $parameter)*
        )
    };
}

/// Items of a queue, of one status where one is given, newest first, from the one at `offset`, at most
/// `limit`, and how many there are in all.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    (queue, status): (AnnotationQueueId, Option<ItemStatus>),
    (offset, limit): (u64, u32),
) -> Result<(Vec<AnnotationItem>, u64), StoreError> {
    let status = status.map(ItemStatus::as_str);
    let mut tx = db.begin_reading().await?;
    let rows = select_annotation_items!(
        "JOIN annotation_queues q ON q.id = i.queue_id
         WHERE q.project_id = $1 AND i.queue_id = $2 AND ($3::TEXT IS NULL OR i.status = $3)
         ORDER BY i.created_at DESC, i.id DESC
         LIMIT $4 OFFSET $5",
        project.as_uuid(),
        queue.as_uuid(),
        status,
        i64::from(limit),
        i64::try_from(offset).unwrap_or(i64::MAX)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!"
         FROM annotation_items i JOIN annotation_queues q ON q.id = i.queue_id
         WHERE q.project_id = $1 AND i.queue_id = $2 AND ($3::TEXT IS NULL OR i.status = $3)"#,
        project.as_uuid(),
        queue.as_uuid(),
        status
    )
    .fetch_one(tx.connection())
    .await?;
    let items = rows.into_iter().map(Row::into_item);
    Ok((items.collect::<Result<_, _>>()?, total.unsigned_abs()))
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
) -> Result<Option<AnnotationItem>, StoreError> {
    let row = select_annotation_items!(
        "JOIN annotation_queues q ON q.id = i.queue_id
         WHERE q.project_id = $1 AND i.queue_id = $2 AND i.id = $3",
        project.as_uuid(),
        queue.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::into_item).transpose()
}

/// Puts one into a queue of the project, unless that has `most` of them already; whether it was put.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    item: &AnnotationItem,
    most: i64,
) -> Result<bool, StoreError> {
    let stored = sqlx::query!(
        "INSERT INTO annotation_items
             (id, queue_id, object_kind, object_id, status, completed_at, created_at, updated_at)
         SELECT $1, q.id, $4, $5, $6, $7, $8, $9
         FROM annotation_queues q
         WHERE q.project_id = $2 AND q.id = $3
             AND (SELECT count(*) FROM annotation_items WHERE queue_id = $3) < $10",
        item.id.as_uuid(),
        project.as_uuid(),
        item.queue_id.as_uuid(),
        item.kind.as_str(),
        item.object_id,
        item.status.as_str(),
        item.completed_at.map(|at| at.to_utc()),
        item.created_at.to_utc(),
        item.updated_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// One that nobody else changes until the transaction ends; `None` when the project has no such item in
/// that queue.
///
/// # Errors
/// When Postgres is away.
pub async fn lock(
    tx: &mut Transaction,
    project: ProjectId,
    queue: AnnotationQueueId,
    id: AnnotationItemId,
) -> Result<Option<AnnotationItem>, StoreError> {
    let row = select_annotation_items!(
        "JOIN annotation_queues q ON q.id = i.queue_id
         WHERE q.project_id = $1 AND i.queue_id = $2 AND i.id = $3
         FOR UPDATE OF i",
        project.as_uuid(),
        queue.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(Row::into_item).transpose()
}

/// Changes how far one is that [`lock`] gave.
///
/// # Errors
/// When Postgres is away.
pub async fn update(tx: &mut Transaction, item: &AnnotationItem) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE annotation_items
         SET status = $3, completed_at = $4, updated_at = $5
         WHERE queue_id = $1 AND id = $2",
        item.queue_id.as_uuid(),
        item.id.as_uuid(),
        item.status.as_str(),
        item.completed_at.map(|at| at.to_utc()),
        item.updated_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Takes one out; whether it was there.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
    id: AnnotationItemId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM annotation_items i
         USING annotation_queues q
         WHERE q.id = i.queue_id AND q.project_id = $1 AND i.queue_id = $2 AND i.id = $3",
        project.as_uuid(),
        queue.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Takes out what is pending of some things of a kind, in all queues of the project.
///
/// # Errors
/// When Postgres is away.
pub async fn forget(
    tx: &mut Transaction,
    project: ProjectId,
    kind: ObjectKind,
    ids: &[String],
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM annotation_items i
         USING annotation_queues q
         WHERE q.id = i.queue_id AND q.project_id = $1 AND i.status = 'PENDING'
             AND i.object_kind = $2 AND i.object_id = ANY ($3)",
        project.as_uuid(),
        kind.as_str(),
        ids
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

impl Row {
    fn into_item(self) -> Result<AnnotationItem, StoreError> {
        let unknown = || StoreError::Row("a kind or status that there is not".into());
        Ok(AnnotationItem {
            id: self.id.into(),
            queue_id: self.queue_id.into(),
            kind: ObjectKind::from_name(&self.object_kind).ok_or_else(unknown)?,
            object_id: self.object_id,
            status: ItemStatus::from_name(&self.status).ok_or_else(unknown)?,
            completed_at: self.completed_at.map(Into::into),
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}
