//! Filters that fill queues. Of several servers one has the turn, as long as it gives signs of life.

use domain::annotation::{Fill, FillDraft};
use domain::filter::Filter;
use domain::{AnnotationQueueId, PersonId, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use super::json;
use crate::{Postgres, StoreError};

/// One that a server has taken up.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The name of this turn.
    pub claim: Uuid,
    /// The project.
    pub project: ProjectId,
    /// The queue.
    pub queue: AnnotationQueueId,
    /// What it is, and how far.
    pub fill: Fill,
}

struct Row {
    queue_id: Uuid,
    project_id: Uuid,
    filter: String,
    address: String,
    is_continuous: bool,
    person_id: Uuid,
    looked_until: Option<OffsetDateTime>,
    added: i64,
    last_error: String,
    due_at: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
}

/// Sets what fills a queue of the project, in place of what did; whether the project has it.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    db: &Postgres,
    (project, queue): (ProjectId, AnnotationQueueId),
    draft: &FillDraft,
    (person, now): (PersonId, Timestamp),
) -> Result<bool, StoreError> {
    let stored = sqlx::query!(
        "INSERT INTO annotation_fills
             (queue_id, filter, address, is_continuous, person_id, added, last_error, due_at, created_at)
         SELECT q.id, $3::TEXT::JSONB, $4, $5, $6, 0, '', $7, $7
         FROM annotation_queues q
         WHERE q.project_id = $1 AND q.id = $2
         ON CONFLICT ON CONSTRAINT annotation_fills_pkey DO UPDATE
         SET filter = $3::TEXT::JSONB, address = $4, is_continuous = $5, person_id = $6,
             looked_until = NULL, added = 0, last_error = '', claim = NULL, due_at = $7, created_at = $7",
        project.as_uuid(),
        queue.as_uuid(),
        json(&draft.filter)?,
        draft.address,
        draft.is_continuous,
        person.as_uuid(),
        now.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// What fills a queue of the project, or filled it last.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<Option<Fill>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT
             f.queue_id, q.project_id, f.filter::TEXT AS "filter!", f.address, f.is_continuous, f.person_id,
             f.looked_until, f.added, f.last_error, f.due_at, f.created_at
         FROM annotation_fills f JOIN annotation_queues q ON q.id = f.queue_id
         WHERE q.project_id = $1 AND q.id = $2"#,
        project.as_uuid(),
        queue.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::into_fill).transpose()
}

/// Has a queue of the project filled no more; what is in it stays.
///
/// # Errors
/// When Postgres is away.
pub async fn end(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM annotation_fills f
         USING annotation_queues q
         WHERE q.id = f.queue_id AND q.project_id = $1 AND q.id = $2",
        project.as_uuid(),
        queue.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Takes up one that is due, and holds it for a while. Those of archived queues wait.
///
/// # Errors
/// When Postgres is away.
pub async fn take(
    db: &Postgres,
    claim: Uuid,
    (now, held_until): (Timestamp, Timestamp),
) -> Result<Option<Taken>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"UPDATE annotation_fills f
         SET claim = $1, due_at = $3
         FROM annotation_queues q
         WHERE q.id = f.queue_id AND f.queue_id = (
             SELECT due.queue_id
             FROM annotation_fills due JOIN annotation_queues of ON of.id = due.queue_id
             WHERE due.due_at <= $2 AND of.archived_at IS NULL
             ORDER BY due.due_at
             LIMIT 1
             FOR UPDATE OF due SKIP LOCKED
         )
         RETURNING
             f.queue_id, q.project_id, f.filter::TEXT AS "filter!", f.address, f.is_continuous, f.person_id,
             f.looked_until, f.added, f.last_error, f.due_at, f.created_at"#,
        claim,
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    let taken = row.map(|row| {
        Ok(Taken {
            claim,
            project: row.project_id.into(),
            queue: row.queue_id.into(),
            fill: row.into_fill()?,
        })
    });
    taken.transpose()
}

/// Notes how far one is and when it is due again; nothing where another turn has it, or it was set anew.
///
/// # Errors
/// When Postgres is away.
pub async fn note(
    db: &Postgres,
    taken: &Taken,
    due_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE annotation_fills
         SET looked_until = $3, added = $4, last_error = $5, due_at = $6
         WHERE queue_id = $1 AND claim = $2",
        taken.queue.as_uuid(),
        taken.claim,
        taken.fill.looked_until.map(|at| at.to_utc()),
        i64::try_from(taken.fill.added).unwrap_or(i64::MAX),
        taken.fill.last_error,
        due_at.map(|at| at.to_utc())
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

impl Row {
    fn into_fill(self) -> Result<Fill, StoreError> {
        let filter: Filter =
            serde_json::from_str(&self.filter).map_err(|error| StoreError::Row(error.into()))?;
        Ok(Fill {
            draft: FillDraft {
                filter,
                address: self.address,
                is_continuous: self.is_continuous,
            },
            person: self.person_id.into(),
            looked_until: self.looked_until.map(Into::into),
            added: self.added.unsigned_abs(),
            last_error: self.last_error,
            is_running: self.due_at.is_some(),
            created_at: self.created_at.into(),
        })
    }
}
