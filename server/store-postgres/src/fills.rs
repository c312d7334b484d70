//! Filters that fill queues and datasets. Of several servers one has the turn, as long as it gives signs of life.

use domain::dataset::Challenge;
use domain::fill::{Fill, FillDraft, FillTarget, Takes};
use domain::filter::Filter;
use domain::{PersonId, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError};

/// One that a server has taken up.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Its id.
    pub id: Uuid,
    /// The name of this turn.
    pub claim: Uuid,
    /// The project.
    pub project: ProjectId,
    /// What is filled.
    pub target: FillTarget,
    /// What it is, and how far.
    pub fill: Fill,
}

struct Row {
    id: Uuid,
    project_id: Uuid,
    queue_id: Option<Uuid>,
    dataset_id: Option<Uuid>,
    filter: String,
    address: String,
    is_continuous: bool,
    takes_spans: bool,
    share: f64,
    most: Option<i64>,
    challenge: Option<String>,
    person_id: Uuid,
    looked_until: Option<OffsetDateTime>,
    added: i64,
    last_error: String,
    due_at: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
}

/// Sets what fills a queue or a dataset of the project, in place of what did; whether the project has it.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    db: &Postgres,
    (project, target): (ProjectId, FillTarget),
    draft: &FillDraft,
    (person, now): (PersonId, Timestamp),
) -> Result<bool, StoreError> {
    let filter = serde_json::to_string(&draft.filter);
    let filter = filter.map_err(|error| StoreError::Row(error.into()))?;
    let (queue, dataset) = ids(target);
    let mut tx = db.begin().await?;
    // Of two who set it at the same time the later one counts.
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("fill of {target:?}")
    )
    .execute(tx.connection())
    .await?;
    end_within(&mut tx, project, target).await?;
    let stored = sqlx::query!(
        "INSERT INTO fills
             (queue_id, dataset_id, filter, address, is_continuous, takes_spans, share, most, challenge,
              person_id, added, last_error, due_at, created_at)
         SELECT target.queue_id, target.dataset_id, $4::TEXT::JSONB, $5, $6, $7, $8, $9, $10, $11, 0, '', $12, $12
         FROM (
             SELECT q.id AS queue_id, NULL::UUID AS dataset_id
             FROM annotation_queues q
             WHERE q.project_id = $1 AND q.id = $2
             UNION ALL
             SELECT NULL::UUID, d.id
             FROM datasets d
             WHERE d.project_id = $1 AND d.id = $3
         ) AS target",
        project.as_uuid(),
        queue,
        dataset,
        filter,
        draft.address,
        draft.is_continuous,
        draft.takes == Takes::Spans,
        draft.share,
        draft.most.map(|most| i64::try_from(most).unwrap_or(i64::MAX)),
        draft.challenge.map(Challenge::as_str),
        person.as_uuid(),
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    tx.commit().await?;
    Ok(stored.rows_affected() == 1)
}

/// What fills a queue or a dataset of the project, or filled it last.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    target: FillTarget,
) -> Result<Option<Fill>, StoreError> {
    let (queue, dataset) = ids(target);
    let row = sqlx::query_as!(
        Row,
        r#"SELECT
             f.id,
             coalesce(q.project_id, d.project_id) AS "project_id!",
             f.queue_id, f.dataset_id, f.filter::TEXT AS "filter!", f.address, f.is_continuous, f.takes_spans,
             f.share, f.most, f.challenge, f.person_id, f.looked_until, f.added, f.last_error, f.due_at,
             f.created_at
         FROM fills f
         LEFT JOIN annotation_queues q ON q.id = f.queue_id
         LEFT JOIN datasets d ON d.id = f.dataset_id
         WHERE coalesce(q.project_id, d.project_id) = $1 AND (f.queue_id = $2 OR f.dataset_id = $3)"#,
        project.as_uuid(),
        queue,
        dataset
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::into_fill).transpose()
}

/// Has a queue or a dataset of the project filled no more; what is in it stays.
///
/// # Errors
/// When Postgres is away.
pub async fn end(db: &Postgres, project: ProjectId, target: FillTarget) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    end_within(&mut tx, project, target).await?;
    tx.commit().await
}

async fn end_within(
    tx: &mut crate::Transaction,
    project: ProjectId,
    target: FillTarget,
) -> Result<(), StoreError> {
    let (queue, dataset) = ids(target);
    sqlx::query!(
        "DELETE FROM fills
         WHERE queue_id IN (SELECT id FROM annotation_queues WHERE project_id = $1 AND id = $2)
             OR dataset_id IN (SELECT id FROM datasets WHERE project_id = $1 AND id = $3)",
        project.as_uuid(),
        queue,
        dataset
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Takes up one that is due, and holds it for a while. Those of what is archived wait.
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
        r#"WITH due AS (
             SELECT f.id, coalesce(q.project_id, d.project_id) AS project_id
             FROM fills f
             LEFT JOIN annotation_queues q ON q.id = f.queue_id
             LEFT JOIN datasets d ON d.id = f.dataset_id
             WHERE f.due_at <= $2 AND q.archived_at IS NULL AND d.archived_at IS NULL
             ORDER BY f.due_at
             LIMIT 1
             FOR UPDATE OF f SKIP LOCKED
         )
         UPDATE fills f
         SET claim = $1, due_at = $3
         FROM due
         WHERE f.id = due.id
         RETURNING
             f.id, due.project_id AS "project_id!", f.queue_id, f.dataset_id, f.filter::TEXT AS "filter!",
             f.address, f.is_continuous, f.takes_spans, f.share, f.most, f.challenge, f.person_id,
             f.looked_until, f.added, f.last_error, f.due_at, f.created_at"#,
        claim,
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    let taken = row.map(|row| {
        Ok(Taken {
            id: row.id,
            claim,
            project: row.project_id.into(),
            target: row.target()?,
            fill: row.into_fill()?,
        })
    });
    taken.transpose()
}

/// Notes how far one is and when it is due again; whether it could be noted: it cannot where another turn has it, or it
/// was set anew.
///
/// # Errors
/// When Postgres is away.
pub async fn note(
    db: &Postgres,
    taken: &Taken,
    due_at: Option<Timestamp>,
) -> Result<bool, StoreError> {
    let noted = sqlx::query!(
        "UPDATE fills
         SET looked_until = $3, added = $4, last_error = $5, due_at = $6
         WHERE id = $1 AND claim = $2",
        taken.id,
        taken.claim,
        taken.fill.looked_until.map(|at| at.to_utc()),
        i64::try_from(taken.fill.added).unwrap_or(i64::MAX),
        taken.fill.last_error,
        due_at.map(|at| at.to_utc())
    )
    .execute(db.pool())
    .await?;
    Ok(noted.rows_affected() == 1)
}

fn ids(target: FillTarget) -> (Option<Uuid>, Option<Uuid>) {
    match target {
        FillTarget::Queue(queue) => (Some(queue.as_uuid()), None),
        FillTarget::Dataset(dataset) => (None, Some(dataset.as_uuid())),
    }
}

impl Row {
    /// Exactly one of the two is set, as the constraint of the table demands.
    fn target(&self) -> Result<FillTarget, StoreError> {
        let queue = self.queue_id.map(|id| FillTarget::Queue(id.into()));
        let dataset = self.dataset_id.map(|id| FillTarget::Dataset(id.into()));
        let none = || StoreError::Row("a filter fills nothing".into());
        queue.or(dataset).ok_or_else(none)
    }

    fn into_fill(self) -> Result<Fill, StoreError> {
        let filter: Filter =
            serde_json::from_str(&self.filter).map_err(|error| StoreError::Row(error.into()))?;
        Ok(Fill {
            draft: FillDraft {
                filter,
                address: self.address,
                is_continuous: self.is_continuous,
                takes: match self.takes_spans {
                    true => Takes::Spans,
                    false => Takes::Traces,
                },
                share: self.share,
                most: self.most.map(i64::unsigned_abs),
                challenge: self.challenge.as_deref().and_then(Challenge::from_name),
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
