//! How long projects keep what, and when it was last looked for older things.

use domain::content_sampling::ContentSampling;
use domain::retention::RetentionSettings;
use domain::{ProjectId, Timestamp};
use serde_json::Value;

use crate::{Postgres, StoreError, Transaction};

/// What the last look found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LastLook {
    /// When it came to its end; `None`: none has yet.
    pub verified_at: Option<Timestamp>,
    /// What it removed, and what it found afterwards.
    pub outcome: Value,
    /// Looks that broke off since.
    pub tries: u32,
}

/// What holds for a project: its own settings, else the days that the project itself names; everything for ever where
/// there are neither.
///
/// # Errors
/// When Postgres is away, or what is stored cannot be read; so for all here.
pub async fn settings(
    db: &Postgres,
    project: ProjectId,
) -> Result<Option<RetentionSettings>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT r.definition::TEXT AS definition, p.retention_days
         FROM projects p LEFT JOIN retention_settings r ON r.project_id = p.id
         WHERE p.id = $1"#,
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(|row| match row.definition {
        Some(text) => serde_json::from_str(&text).map_err(|error| StoreError::Row(error.into())),
        None => Ok(RetentionSettings::of_project(
            row.retention_days.unsigned_abs(),
        )),
    })
    .transpose()
}

/// Sets it, and has it looked for older things at once.
///
/// # Errors
/// As [`settings`].
pub async fn set(
    tx: &mut Transaction,
    project: ProjectId,
    settings: &RetentionSettings,
    now: Timestamp,
) -> Result<(), StoreError> {
    let definition =
        serde_json::to_string(settings).map_err(|error| StoreError::Row(error.into()))?;
    sqlx::query!(
        "INSERT INTO retention_settings (project_id, definition, due_at)
         VALUES ($1, $2::TEXT::JSONB, $3)
         ON CONFLICT ON CONSTRAINT retention_settings_pkey
         DO UPDATE SET definition = $2::TEXT::JSONB, due_at = $3, tries = 0",
        project.as_uuid(),
        definition,
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Which traces keep their contents; `None`: all.
///
/// # Errors
/// As [`settings`].
pub async fn sampling(
    db: &Postgres,
    project: ProjectId,
) -> Result<Option<ContentSampling>, StoreError> {
    let row = sqlx::query!(
        "SELECT sampling::TEXT AS sampling FROM retention_settings WHERE project_id = $1",
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    let text = row.and_then(|row| row.sampling);
    let read = |text: String| serde_json::from_str(&text);
    text.map(read)
        .transpose()
        .map_err(|error| StoreError::Row(error.into()))
}

/// Sets it, and has it looked at once which contents are to be kept.
///
/// # Errors
/// As [`settings`].
pub async fn set_sampling(
    tx: &mut Transaction,
    project: ProjectId,
    sampling: &ContentSampling,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sampling =
        serde_json::to_string(sampling).map_err(|error| StoreError::Row(error.into()))?;
    sqlx::query!(
        "INSERT INTO retention_settings (project_id, sampling, due_at)
         VALUES ($1, $2::TEXT::JSONB, $3)
         ON CONFLICT ON CONSTRAINT retention_settings_pkey
         DO UPDATE SET sampling = $2::TEXT::JSONB, due_at = $3, tries = 0",
        project.as_uuid(),
        sampling,
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Has it looked for older things soon, where anything has a time.
///
/// # Errors
/// As [`settings`].
pub async fn wake(
    tx: &mut Transaction,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE retention_settings SET due_at = LEAST(due_at, $2) WHERE project_id = $1",
        project.as_uuid(),
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Takes up the project that is due for longest and holds it for a while. Projects that name days themselves are among
/// them from the first look on.
///
/// # Errors
/// As [`settings`].
pub async fn take(
    db: &Postgres,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<ProjectId>, StoreError> {
    sqlx::query!(
        "INSERT INTO retention_settings (project_id, due_at)
         SELECT id, $1 FROM projects
         WHERE retention_days > 0 AND NOT EXISTS (SELECT FROM retention_settings r WHERE r.project_id = projects.id)
         ON CONFLICT DO NOTHING",
        now.to_utc()
    )
    .execute(db.pool())
    .await?;
    let taken = sqlx::query_scalar!(
        "UPDATE retention_settings SET due_at = $2, tries = tries + 1
         WHERE project_id = (
             SELECT project_id FROM retention_settings
             WHERE due_at <= $1
             ORDER BY due_at
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         RETURNING project_id",
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(taken.map(ProjectId::from))
}

/// Holds a project for longer, unless it was set anew meanwhile.
///
/// # Errors
/// As [`settings`].
pub async fn hold(
    db: &Postgres,
    project: ProjectId,
    (held_until, longer): (Timestamp, Timestamp),
) -> Result<bool, StoreError> {
    let held = sqlx::query!(
        "UPDATE retention_settings SET due_at = $3 WHERE project_id = $1 AND due_at = $2",
        project.as_uuid(),
        held_until.to_utc(),
        longer.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(held.rows_affected() == 1)
}

/// Notes what a look found, and when the next is due; nothing where it was set anew meanwhile, which is looked at next.
///
/// # Errors
/// As [`settings`].
pub async fn finish(
    db: &Postgres,
    project: ProjectId,
    (held_until, next): (Timestamp, Timestamp),
    (verified_at, outcome): (Timestamp, &Value),
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE retention_settings
         SET verified_at = $4, outcome = $5::TEXT::JSONB, tries = 0, due_at = $3
         WHERE project_id = $1 AND due_at = $2",
        project.as_uuid(),
        held_until.to_utc(),
        next.to_utc(),
        verified_at.to_utc(),
        outcome.to_string()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// What the last look found.
///
/// # Errors
/// As [`settings`].
pub async fn last_look(db: &Postgres, project: ProjectId) -> Result<LastLook, StoreError> {
    let row = sqlx::query!(
        r#"SELECT verified_at, outcome::TEXT AS outcome, tries FROM retention_settings WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map_or_else(LastLook::default, |row| LastLook {
        verified_at: row.verified_at.map(Timestamp::from),
        outcome: row
            .outcome
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default(),
        tries: row.tries.unsigned_abs(),
    }))
}

/// Traces that attachments are linked to, after one of them in the order of their ids, at most `most`.
///
/// # Errors
/// As [`settings`].
pub async fn traces_with_media(
    db: &Postgres,
    project: ProjectId,
    after: &str,
    most: u32,
) -> Result<Vec<String>, StoreError> {
    let traces = sqlx::query_scalar!(
        r#"SELECT DISTINCT trace_id AS "trace_id!" FROM media_links
         WHERE project_id = $1 AND trace_id > $2
         ORDER BY 1
         LIMIT $3"#,
        project.as_uuid(),
        after,
        i64::from(most)
    )
    .fetch_all(db.pool())
    .await?;
    Ok(traces)
}

/// Deletes business events of before, but for those of some users.
///
/// # Errors
/// As [`settings`].
pub async fn remove_business_events(
    db: &Postgres,
    project: ProjectId,
    before: Timestamp,
    held: &[String],
) -> Result<u64, StoreError> {
    let gone = sqlx::query!(
        "DELETE FROM business_events
         WHERE project_id = $1 AND at < $2 AND (user_id IS NULL OR NOT user_id = ANY ($3))",
        project.as_uuid(),
        before.to_utc(),
        held
    )
    .execute(db.pool())
    .await?;
    Ok(gone.rows_affected())
}
