//! What is done to many traces at once.

use domain::bulk::{BulkAction, BulkJob, BulkState};
use domain::filter::Filter;
use domain::{BulkJobId, ProjectId, Timestamp};

use crate::{Postgres, StoreError};

/// One that a server has taken up.
#[derive(Clone, Debug)]
pub struct TakenJob {
    /// Its project.
    pub project_id: ProjectId,
    /// What it is, and how far.
    pub job: BulkJob,
    /// Where it goes on.
    pub place: Option<String>,
    /// How often it was taken up without going on, this time included.
    pub tries: i32,
}

/// Stores a new one, unless `most` of the project run already; whether it was stored.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    job: &BulkJob,
    most: i64,
) -> Result<bool, StoreError> {
    let stored = sqlx::query!(
        "INSERT INTO bulk_jobs
             (id, project_id, person_id, action, filter, state, done, skipped, tries, held_until, created_at,
              updated_at)
         SELECT $1, $2, $3, $4::TEXT::JSONB, $5::TEXT::JSONB, 'running', 0, 0, 0, $6, $6, $6
         WHERE (SELECT count(*) FROM bulk_jobs WHERE project_id = $2 AND state = 'running') < $7",
        job.id.as_uuid(),
        project.as_uuid(),
        job.person.as_uuid(),
        json(&job.action),
        json(&job.filter),
        job.created_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// One of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    id: BulkJobId,
) -> Result<Option<BulkJob>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT
             id,
             project_id,
             person_id,
             action::TEXT AS "action!",
             filter::TEXT AS "filter!",
             state,
             done,
             total,
             skipped,
             fault,
             place,
             tries,
             created_at,
             updated_at
         FROM bulk_jobs
         WHERE project_id = $1 AND id = $2"#,
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| TakenJob::from(row).job))
}

/// The newest of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    limit: i64,
) -> Result<Vec<BulkJob>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT
             id,
             project_id,
             person_id,
             action::TEXT AS "action!",
             filter::TEXT AS "filter!",
             state,
             done,
             total,
             skipped,
             fault,
             place,
             tries,
             created_at,
             updated_at
         FROM bulk_jobs
         WHERE project_id = $1
         ORDER BY created_at DESC, id DESC
         LIMIT $2"#,
        project.as_uuid(),
        limit
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| TakenJob::from(row).job)
        .collect())
}

/// Stops one that runs; whether there was one.
///
/// # Errors
/// When Postgres is away.
pub async fn cancel(
    db: &Postgres,
    project: ProjectId,
    (id, now): (BulkJobId, Timestamp),
) -> Result<bool, StoreError> {
    let stopped = sqlx::query!(
        "UPDATE bulk_jobs
         SET state = 'cancelled', updated_at = $3
         WHERE project_id = $1 AND id = $2 AND state = 'running'",
        project.as_uuid(),
        id.as_uuid(),
        now.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(stopped.rows_affected() == 1)
}

/// Takes up one that runs and that no server works on, and holds it for a while.
///
/// # Errors
/// When Postgres is away.
pub async fn take(
    db: &Postgres,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<TakenJob>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"UPDATE bulk_jobs
         SET held_until = $2, tries = tries + 1
         WHERE id = (
             SELECT id FROM bulk_jobs
             WHERE state = 'running' AND held_until <= $1
             ORDER BY held_until
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         RETURNING
             id,
             project_id,
             person_id,
             action::TEXT AS "action!",
             filter::TEXT AS "filter!",
             state,
             done,
             total,
             skipped,
             fault,
             place,
             tries,
             created_at,
             updated_at"#,
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(TakenJob::from))
}

/// Notes how far one is, and holds it until then; `false` where it was stopped meanwhile.
///
/// # Errors
/// When Postgres is away.
pub async fn go_on(
    db: &Postgres,
    taken: &TakenJob,
    held_until: Timestamp,
) -> Result<bool, StoreError> {
    let job = &taken.job;
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let noted = sqlx::query!(
        "UPDATE bulk_jobs
         SET
             state = $3,
             done = $4,
             total = $5,
             skipped = $6,
             fault = $7,
             place = $8,
             tries = $9,
             held_until = $10,
             updated_at = $11
         WHERE project_id = $1 AND id = $2 AND state = 'running'",
        taken.project_id.as_uuid(),
        job.id.as_uuid(),
        job.state.as_str(),
        number(job.done),
        job.total.map(number),
        number(job.skipped),
        job.fault,
        taken.place,
        taken.tries,
        held_until.to_utc(),
        job.updated_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(noted.rows_affected() == 1)
}

struct Row {
    id: uuid::Uuid,
    project_id: uuid::Uuid,
    person_id: uuid::Uuid,
    action: String,
    filter: String,
    state: String,
    done: i64,
    total: Option<i64>,
    skipped: i64,
    fault: Option<String>,
    place: Option<String>,
    tries: i32,
    created_at: time::OffsetDateTime,
    updated_at: time::OffsetDateTime,
}

impl From<Row> for TakenJob {
    fn from(row: Row) -> Self {
        let number = |number: i64| u64::try_from(number).unwrap_or(0);
        // What a newer version wrote is nothing that could be followed: nothing is done then.
        let nothing = Filter {
            to: Some(Timestamp::EPOCH),
            ..Filter::default()
        };
        let action = serde_json::from_str::<BulkAction>(&row.action).ok();
        let filter = serde_json::from_str::<Filter>(&row.filter).ok();
        let (action, filter) = match (action, filter) {
            (Some(action), Some(filter)) => (action, filter),
            _ => (BulkAction::Delete, nothing),
        };
        TakenJob {
            project_id: row.project_id.into(),
            job: BulkJob {
                id: row.id.into(),
                person: row.person_id.into(),
                action,
                filter,
                state: BulkState::from_name(&row.state).unwrap_or_default(),
                done: number(row.done),
                total: row.total.map(number),
                skipped: number(row.skipped),
                fault: row.fault,
                created_at: row.created_at.into(),
                updated_at: row.updated_at.into(),
            },
            place: row.place,
            tries: row.tries,
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}
