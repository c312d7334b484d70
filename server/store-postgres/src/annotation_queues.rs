//! Queues of things to be judged by people, and who works on them.

use domain::annotation::{AnnotationQueue, QueueDraft};
use domain::{AnnotationQueueId, PersonId, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError};

struct Row {
    id: Uuid,
    name: String,
    description: Option<String>,
    score_config_ids: Vec<Uuid>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

/// Queues, newest first, from the one at `offset`, at most `limit`, and how many there are in all.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    (offset, limit): (u64, u32),
) -> Result<(Vec<AnnotationQueue>, u64), StoreError> {
    let mut tx = db.begin_reading().await?;
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, name, description, score_config_ids, created_at, updated_at
         FROM annotation_queues
         WHERE project_id = $1
         ORDER BY created_at DESC, id DESC
         LIMIT $2 OFFSET $3",
        project.as_uuid(),
        i64::from(limit),
        i64::try_from(offset).unwrap_or(i64::MAX)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!" FROM annotation_queues WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_one(tx.connection())
    .await?;
    let queues = rows.into_iter().map(AnnotationQueue::from).collect();
    Ok((queues, total.unsigned_abs()))
}

/// One of them; `None` when the project has none of that id.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    id: AnnotationQueueId,
) -> Result<Option<AnnotationQueue>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, name, description, score_config_ids, created_at, updated_at
         FROM annotation_queues
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(AnnotationQueue::from))
}

/// Whether the project has a queue of that name.
///
/// # Errors
/// When Postgres is away.
pub async fn has(db: &Postgres, project: ProjectId, name: &str) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT 1 FROM annotation_queues WHERE project_id = $1 AND name = $2
         ) AS "found!""#,
        project.as_uuid(),
        name
    )
    .fetch_one(db.pool())
    .await?;
    Ok(found)
}

/// Stores one, unless the project has `most` of them already; whether it was stored.
///
/// # Errors
/// `annotation_queues_project_id_name_key` when the name was taken meanwhile.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    queue: &AnnotationQueue,
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &queue.draft;
    let configs: Vec<Uuid> = draft.score_configs.iter().map(|id| id.as_uuid()).collect();
    let stored = sqlx::query!(
        "INSERT INTO annotation_queues
             (id, project_id, name, description, score_config_ids, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7
         WHERE (SELECT count(*) FROM annotation_queues WHERE project_id = $2) < $8",
        queue.id.as_uuid(),
        project.as_uuid(),
        draft.name,
        draft.description,
        &configs,
        queue.created_at.to_utc(),
        queue.updated_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Has a member of the project's organisation who may enter the project work on a queue of it, once;
/// whether there is such a member.
///
/// # Errors
/// When Postgres is away.
pub async fn assign(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
    (person, at): (PersonId, Timestamp),
) -> Result<bool, StoreError> {
    let member = sqlx::query_scalar!(
        r#"WITH member AS (
             SELECT m.person_id
             FROM projects p
             JOIN members m ON m.organisation_id = p.organisation_id
             JOIN annotation_queues q ON q.project_id = p.id
             LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.person_id = m.person_id
             WHERE p.id = $1 AND q.id = $2 AND m.person_id = $3
                 AND coalesce(pm.role, m.role) <> 'none'
         ),
         assigned AS (
             INSERT INTO annotation_assignments (queue_id, person_id, created_at)
             SELECT $2, person_id, $4 FROM member
             ON CONFLICT ON CONSTRAINT annotation_assignments_pkey DO NOTHING
         )
         SELECT EXISTS (SELECT 1 FROM member) AS "is_member!""#,
        project.as_uuid(),
        queue.as_uuid(),
        person.as_uuid(),
        at.to_utc()
    )
    .fetch_one(db.pool())
    .await?;
    Ok(member)
}

/// Has a person no longer work on a queue of the project.
///
/// # Errors
/// When Postgres is away.
pub async fn unassign(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
    person: PersonId,
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM annotation_assignments a
         USING annotation_queues q
         WHERE q.id = a.queue_id AND q.project_id = $1 AND q.id = $2 AND a.person_id = $3",
        project.as_uuid(),
        queue.as_uuid(),
        person.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

impl From<Row> for AnnotationQueue {
    fn from(row: Row) -> Self {
        let configs = row.score_config_ids.into_iter();
        AnnotationQueue {
            id: row.id.into(),
            draft: QueueDraft {
                name: row.name,
                description: row.description,
                score_configs: configs.map(Into::into).collect(),
            },
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}
