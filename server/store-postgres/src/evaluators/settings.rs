use domain::evaluator::{Evaluator, EvaluatorDraft, Method};
use domain::{EvaluatorId, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError};

/// Spans that a rule takes up at once.
const RULES_AT_ONCE: i32 = 100;

/// One as it is kept.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) document: String,
    pub(super) created_at: OffsetDateTime,
    pub(super) updated_at: OffsetDateTime,
}

impl Row {
    pub(super) fn read(self) -> Result<Evaluator, StoreError> {
        let draft: EvaluatorDraft =
            serde_json::from_str(&self.document).map_err(|error| StoreError::Row(error.into()))?;
        Ok(Evaluator {
            id: self.id.into(),
            draft,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}

/// All of a project, by name.
///
/// # Errors
/// When Postgres is away, or what it keeps cannot be understood.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<Evaluator>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, document::TEXT AS "document!", created_at, updated_at
         FROM evaluators
         WHERE project_id = $1
         ORDER BY lower(name), created_at, id"#,
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::read).collect()
}

/// One of a project.
///
/// # Errors
/// As [`list`].
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    id: EvaluatorId,
) -> Result<Option<Evaluator>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, document::TEXT AS "document!", created_at, updated_at
         FROM evaluators
         WHERE project_id = $1 AND id = $2"#,
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::read).transpose()
}

/// Stores a new one, unless the project has `most` of them already; whether it was stored. One that is at work looks
/// at what ends from now on.
///
/// # Errors
/// When Postgres is away; the constraint `evaluators_project_id_name_key`.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    evaluator: &Evaluator,
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &evaluator.draft;
    let now = evaluator.created_at;
    let stored = sqlx::query!(
        "INSERT INTO evaluators
             (id, project_id, name, document, is_enabled, at_once, max_nano_usd_per_day, on_since, looked_until,
              look_at, failures, last_error, created_at, updated_at)
         SELECT $1, $2, $3, $4::TEXT::JSONB, $5, $6, $7, $8, $8, $9, 0, '', $8, $8
         WHERE (SELECT count(*) FROM evaluators WHERE project_id = $2) < $10",
        evaluator.id.as_uuid(),
        project.as_uuid(),
        draft.name,
        document(draft)?,
        draft.is_enabled,
        at_once(draft),
        draft.max_cost_per_day.map(domain::Usd::nanos),
        now.to_utc(),
        draft.is_enabled.then(|| now.to_utc()),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Sets one anew; whether the project has it. Where it is switched on it looks at what ends from now on; where it is
/// off nothing waits for it.
///
/// # Errors
/// As [`create`].
pub async fn replace(
    db: &Postgres,
    project: ProjectId,
    id: EvaluatorId,
    (draft, now): (&EvaluatorDraft, Timestamp),
) -> Result<bool, StoreError> {
    let mut tx = db.begin().await?;
    let stored = sqlx::query!(
        "UPDATE evaluators
         SET name = $3, document = $4::TEXT::JSONB, is_enabled = $5, at_once = $6, max_nano_usd_per_day = $7,
             on_since = CASE WHEN is_enabled = $5 THEN on_since ELSE $8 END,
             looked_until = CASE WHEN is_enabled THEN looked_until ELSE $8 END,
             look_at = CASE WHEN $5 THEN $8 END,
             back_from = CASE WHEN $5 THEN back_from END, back_until = CASE WHEN $5 THEN back_until END,
             look_claim = NULL, failures = 0, held_until = NULL, last_error = '', updated_at = $8
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid(),
        draft.name,
        document(draft)?,
        draft.is_enabled,
        at_once(draft),
        draft.max_cost_per_day.map(domain::Usd::nanos),
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    if !draft.is_enabled {
        sqlx::query!(
            "DELETE FROM evaluations w
             USING evaluators e
             WHERE e.project_id = $1 AND e.id = $2 AND w.evaluator_id = e.id AND w.due_at IS NOT NULL",
            project.as_uuid(),
            id.as_uuid()
        )
        .execute(tx.connection())
        .await?;
    }
    tx.commit().await?;
    Ok(stored.rows_affected() == 1)
}

/// Has one that is on score what ended from ≤ t < until after the fact, in the place of what was wanted before; whether there is
/// such a one.
///
/// # Errors
/// When Postgres is away.
pub async fn look_back(
    db: &Postgres,
    (project, id): (ProjectId, EvaluatorId),
    (from, until): (Timestamp, Timestamp),
    now: Timestamp,
) -> Result<bool, StoreError> {
    let noted = sqlx::query!(
        "UPDATE evaluators
         SET back_from = $3, back_until = $4, look_at = $5, look_claim = NULL
         WHERE project_id = $1 AND id = $2 AND is_enabled",
        project.as_uuid(),
        id.as_uuid(),
        from.to_utc(),
        until.to_utc(),
        now.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(noted.rows_affected() == 1)
}

/// Deletes one; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    id: EvaluatorId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM evaluators WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

fn document(draft: &EvaluatorDraft) -> Result<String, StoreError> {
    serde_json::to_string(draft).map_err(|error| StoreError::Row(error.into()))
}

fn at_once(draft: &EvaluatorDraft) -> i32 {
    match draft.method {
        Method::Judge(_) => 1,
        Method::Rule(_) => RULES_AT_ONCE,
    }
}
