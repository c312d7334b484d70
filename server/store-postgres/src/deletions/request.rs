//! What is asked for, and how far it is.

use domain::deletion::{Deletion, DeletionState, SharedTraces, SubjectHash};
use domain::{DeletionId, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError, Transaction};

/// One that is asked for: the deletion, and who is meant.
#[derive(Clone, Debug)]
pub struct Asked {
    /// As it begins.
    pub deletion: Deletion,
    /// The user.
    pub user_id: String,
}

/// One that a server has taken up.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Its project.
    pub project_id: ProjectId,
    /// How far it is.
    pub deletion: Deletion,
    /// Who is meant.
    pub user_id: String,
    /// How often it was taken up without coming to an end, this time included.
    pub tries: i32,
}

/// Which are listed.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Of that user.
    pub subject: Option<SubjectHash>,
    /// What follows that one in the order of the list.
    pub after: Option<(Timestamp, Uuid)>,
}

/// Stores some, each unless one of the same user is under way; of each user the one that is under way now.
///
/// # Errors
/// When Postgres is away.
pub async fn ask(
    tx: &mut Transaction,
    project: ProjectId,
    asked: &[Asked],
) -> Result<Vec<Deletion>, StoreError> {
    let ids: Vec<Uuid> = asked.iter().map(|it| it.deletion.id.as_uuid()).collect();
    let subjects: Vec<Vec<u8>> = asked
        .iter()
        .map(|it| it.deletion.subject.0.to_vec())
        .collect();
    let users: Vec<String> = asked.iter().map(|it| it.user_id.clone()).collect();
    let Some(first) = asked.first().map(|it| &it.deletion) else {
        return Ok(Vec::new());
    };
    sqlx::query!(
        "INSERT INTO deletions
             (id, project_id, subject, user_id, state, shared_traces, counts, requested_by, requested_at,
              tombstone_until, tries, held_until)
         SELECT asked.id, $1, asked.subject, asked.user_id, 'queued', $5, '{}', $6, $7, $8, 0, $7
         FROM UNNEST($2::UUID[], $3::BYTEA[], $4::TEXT[]) AS asked (id, subject, user_id)
         ON CONFLICT (project_id, subject) WHERE state IN ('queued', 'deleting', 'purging') DO NOTHING",
        project.as_uuid(),
        &ids,
        &subjects,
        &users,
        first.shared_traces.as_str(),
        first.requested_by,
        first.requested_at.to_utc(),
        first.tombstone_until.to_utc()
    )
    .execute(tx.connection())
    .await?;
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT
             id,
             project_id,
             subject,
             user_id,
             state,
             shared_traces,
             counts::TEXT AS "counts!",
             requested_by,
             requested_at,
             verified_at,
             tombstone_until,
             fault,
             certificate::TEXT AS certificate,
             tries
         FROM deletions
         WHERE project_id = $1 AND subject = ANY ($2) AND state IN ('queued', 'deleting', 'purging')"#,
        project.as_uuid(),
        &subjects
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(Row::into_deletion).collect()
}

/// One of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    id: DeletionId,
) -> Result<Option<Deletion>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT
             id,
             project_id,
             subject,
             user_id,
             state,
             shared_traces,
             counts::TEXT AS "counts!",
             requested_by,
             requested_at,
             verified_at,
             tombstone_until,
             fault,
             certificate::TEXT AS certificate,
             tries
         FROM deletions
         WHERE project_id = $1 AND id = $2"#,
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::into_deletion).transpose()
}

/// Those of a project, the newest first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    wanted: &Wanted,
    limit: u32,
) -> Result<Vec<Deletion>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT
             id,
             project_id,
             subject,
             user_id,
             state,
             shared_traces,
             counts::TEXT AS "counts!",
             requested_by,
             requested_at,
             verified_at,
             tombstone_until,
             fault,
             certificate::TEXT AS certificate,
             tries
         FROM deletions
         WHERE project_id = $1
             AND ($2::BYTEA IS NULL OR subject = $2)
             AND ($3::TIMESTAMPTZ IS NULL OR (requested_at, id) < ($3, $4::UUID))
         ORDER BY requested_at DESC, id DESC
         LIMIT $5"#,
        project.as_uuid(),
        wanted.subject.as_ref().map(|subject| subject.0.as_slice()),
        wanted.after.map(|(at, _)| at.to_utc()),
        wanted.after.map(|(_, id)| id),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_deletion).collect()
}

/// Takes up some of one project that are under way and that no server works on, the oldest first, and holds them for a
/// while.
///
/// # Errors
/// When Postgres is away.
pub async fn take(
    db: &Postgres,
    now: Timestamp,
    held_until: Timestamp,
    most: u32,
) -> Result<Vec<Taken>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        r#"WITH due AS (
             SELECT id
             FROM deletions
             WHERE state IN ('queued', 'deleting', 'purging')
                 AND held_until <= $1
                 AND project_id = (
                     SELECT project_id FROM deletions
                     WHERE state IN ('queued', 'deleting', 'purging') AND held_until <= $1
                     ORDER BY held_until, requested_at
                     LIMIT 1
                 )
             ORDER BY requested_at, id
             LIMIT $3
             FOR UPDATE SKIP LOCKED
         )
         UPDATE deletions d
         SET held_until = $2, tries = tries + 1
         FROM due
         WHERE d.id = due.id
         RETURNING
             d.id,
             d.project_id,
             d.subject,
             d.user_id,
             d.state,
             d.shared_traces,
             d.counts::TEXT AS "counts!",
             d.requested_by,
             d.requested_at,
             d.verified_at,
             d.tombstone_until,
             d.fault,
             d.certificate::TEXT AS certificate,
             d.tries"#,
        now.to_utc(),
        held_until.to_utc(),
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Taken {
                project_id: row.project_id.into(),
                user_id: row.user_id.clone().unwrap_or_default(),
                tries: row.tries,
                deletion: row.into_deletion()?,
            })
        })
        .collect()
}

/// Holds some for longer, or lets them go.
///
/// # Errors
/// When Postgres is away.
pub async fn hold(
    db: &Postgres,
    project: ProjectId,
    ids: &[DeletionId],
    held_until: Timestamp,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.as_uuid()).collect();
    sqlx::query!(
        "UPDATE deletions SET held_until = $3
         WHERE project_id = $1 AND id = ANY ($2) AND state IN ('queued', 'deleting', 'purging')",
        project.as_uuid(),
        &ids,
        held_until.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Notes how far one is.
///
/// # Errors
/// When Postgres is away.
pub async fn go_on(
    db: &Postgres,
    project: ProjectId,
    deletion: &Deletion,
) -> Result<(), StoreError> {
    let counts = serde_json::to_string(&deletion.counts);
    sqlx::query!(
        "UPDATE deletions
         SET state = $3, counts = $4::TEXT::JSONB, fault = $5
         WHERE project_id = $1 AND id = $2 AND state IN ('queued', 'deleting', 'purging')",
        project.as_uuid(),
        deletion.id.as_uuid(),
        deletion.state.as_str(),
        counts.unwrap_or_else(|_| "{}".to_owned()),
        deletion.fault
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Notes that one is verified, with its certificate; the id of the user goes, here and where earlier ones failed.
///
/// # Errors
/// When Postgres is away; then nothing of it happened.
pub async fn finish(
    tx: &mut Transaction,
    project: ProjectId,
    deletion: &Deletion,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE deletions
         SET state = 'verified', verified_at = $3, certificate = $4::TEXT::JSON, fault = NULL
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        deletion.id.as_uuid(),
        deletion.verified_at.map(|at| at.to_utc()),
        deletion.certificate.as_ref().map(ToString::to_string)
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "UPDATE deletions SET user_id = NULL
         WHERE project_id = $1 AND subject = $2 AND state IN ('verified', 'failed')",
        project.as_uuid(),
        deletion.subject.0.as_slice()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    project_id: Uuid,
    subject: Vec<u8>,
    user_id: Option<String>,
    state: String,
    shared_traces: String,
    counts: String,
    requested_by: String,
    requested_at: OffsetDateTime,
    verified_at: Option<OffsetDateTime>,
    tombstone_until: OffsetDateTime,
    fault: Option<String>,
    certificate: Option<String>,
    tries: i32,
}

impl Row {
    fn into_deletion(self) -> Result<Deletion, StoreError> {
        let wrong = |_| StoreError::Row("a hash of another length".into());
        let certificate = self.certificate.as_deref().map(serde_json::from_str);
        Ok(Deletion {
            id: self.id.into(),
            subject: SubjectHash(self.subject.try_into().map_err(wrong)?),
            state: DeletionState::from_name(&self.state).unwrap_or_default(),
            shared_traces: SharedTraces::from_name(&self.shared_traces).unwrap_or_default(),
            counts: serde_json::from_str(&self.counts).unwrap_or_default(),
            requested_by: self.requested_by,
            requested_at: self.requested_at.into(),
            verified_at: self.verified_at.map(Into::into),
            tombstone_until: self.tombstone_until.into(),
            fault: self.fault,
            certificate: certificate.and_then(Result::ok),
        })
    }
}
