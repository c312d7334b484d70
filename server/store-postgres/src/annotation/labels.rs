//! Judgements of people: read, written, taken back.

use domain::annotation::{Answers, Label, LabelState};
use domain::{AnnotationItemId, AnnotationQueueId, PersonId, ProjectId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{answers, json};
use crate::{Postgres, StoreError, Transaction};

/// Judgements of a queue that are read at once.
const MOST: i64 = 50_000;

struct Row {
    item_id: Uuid,
    person_id: Uuid,
    state: String,
    reserved_until: OffsetDateTime,
    answers: String,
    reason: String,
    started_at: OffsetDateTime,
    ended_at: Option<OffsetDateTime>,
}

/// A query of judgements: what follows the columns, then its parameters.
macro_rules! select_annotation_labels {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 l.item_id,
                 l.person_id,
                 l.state,
                 l.reserved_until,
                 l.answers::TEXT AS "answers!",
                 l.reason,
                 l.started_at,
                 l.ended_at
             FROM annotation_labels l
             JOIN annotation_items i ON i.id = l.item_id
             JOIN annotation_queues q ON q.id = i.queue_id "# + $rest
            $(, $parameter)*
        )
    };
}

/// What people made of an item of the project, in the order in which they came.
///
/// # Errors
/// When Postgres is away.
pub async fn of_item(
    db: &Postgres,
    project: ProjectId,
    item: AnnotationItemId,
) -> Result<Vec<Label>, StoreError> {
    let rows = select_annotation_labels!(
        "WHERE q.project_id = $1 AND l.item_id = $2 ORDER BY l.started_at, l.person_id",
        project.as_uuid(),
        item.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_label).collect()
}

/// Every judgement of a queue, by item; at most 50,000.
///
/// # Errors
/// When Postgres is away.
pub async fn of_queue(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<Vec<Label>, StoreError> {
    let rows = select_annotation_labels!(
        "WHERE q.project_id = $1 AND q.id = $2 AND l.state = 'done'
         ORDER BY l.item_id, l.started_at, l.person_id
         LIMIT $3",
        project.as_uuid(),
        queue.as_uuid(),
        MOST
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_label).collect()
}

/// What a person judged or skipped last in a queue, of those that are still there.
///
/// # Errors
/// When Postgres is away.
pub async fn last(
    tx: &mut Transaction,
    project: ProjectId,
    queue: AnnotationQueueId,
    person: PersonId,
) -> Result<Option<Label>, StoreError> {
    let row = select_annotation_labels!(
        "WHERE q.project_id = $1 AND q.id = $2 AND l.person_id = $3 AND l.state <> 'reserved'
         ORDER BY l.ended_at DESC, l.item_id DESC
         LIMIT 1",
        project.as_uuid(),
        queue.as_uuid(),
        person.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(Row::into_label).transpose()
}

/// Writes what a person made of an item.
///
/// # Errors
/// When Postgres is away.
pub async fn put(tx: &mut Transaction, label: &Label) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO annotation_labels
             (item_id, person_id, state, reserved_until, answers, reason, started_at, ended_at)
         VALUES ($1, $2, $3, $4, $5::TEXT::JSONB, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT annotation_labels_pkey DO UPDATE
         SET state = $3, reserved_until = $4, answers = $5::TEXT::JSONB, reason = $6, started_at = $7,
             ended_at = $8",
        label.item.as_uuid(),
        label.person.as_uuid(),
        label.state.as_str(),
        label.reserved_until.to_utc(),
        json::<Answers>(&label.answers)?,
        label.reason,
        label.started_at.to_utc(),
        label.ended_at.map(|at| at.to_utc())
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// How many people judged an item.
///
/// # Errors
/// When Postgres is away.
pub async fn count_done(tx: &mut Transaction, item: AnnotationItemId) -> Result<u64, StoreError> {
    let done = sqlx::query_scalar!(
        r#"SELECT count(*) AS "done!" FROM annotation_labels WHERE item_id = $1 AND state = 'done'"#,
        item.as_uuid()
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(done.unsigned_abs())
}

impl Row {
    fn into_label(self) -> Result<Label, StoreError> {
        let unknown = || StoreError::Row("a state of a judgement that there is not".into());
        Ok(Label {
            item: self.item_id.into(),
            person: self.person_id.into(),
            state: LabelState::from_name(&self.state).ok_or_else(unknown)?,
            reserved_until: self.reserved_until.into(),
            answers: answers(&self.answers)?,
            reason: self.reason,
            started_at: self.started_at.into(),
            ended_at: self.ended_at.map(Into::into),
        })
    }
}
