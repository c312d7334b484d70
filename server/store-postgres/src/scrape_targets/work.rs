//! Who scrapes what, and what became of it. A server that lost a target notes nothing of it any more. Rows that somebody
//! else is changing are passed over: nobody waits here while holding others, so that a project can always be removed.

use domain::scrape::{ScrapeOutcome, ScrapeTarget};
use domain::{ProjectId, ScrapeTargetId, Timestamp};
use serde_json::json;
use uuid::Uuid;

use super::row::{Row, Sealed};
use crate::{Postgres, StoreError};

/// A target that this server scrapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// Whose it is.
    pub project: ProjectId,
    /// The target; what became of its last scrape is not looked at.
    pub target: ScrapeTarget,
    /// Its sealed credential.
    pub sealed: Sealed,
}

/// Holds what this server holds already, and what nobody does, for longer: all that it scrapes, at most `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn hold(
    db: &Postgres,
    holder: Uuid,
    (now, until): (Timestamp, Timestamp),
    most: i64,
) -> Result<Vec<Held>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        r#"WITH free AS (
             SELECT id FROM scrape_targets
             WHERE is_enabled AND (holder = $1 OR held_until IS NULL OR held_until <= $2)
             ORDER BY holder = $1 DESC NULLS LAST, id
             LIMIT $4
             FOR UPDATE SKIP LOCKED
         )
         UPDATE scrape_targets
         SET holder = $1, held_until = $3
         FROM free
         WHERE scrape_targets.id = free.id
         RETURNING
             scrape_targets.id, project_id, name, url, kind, interval_s, labels::TEXT AS "labels!",
             is_enabled, auth_kind, auth_user, auth_secret, scraped_at, duration_ns, samples,
             recognised, exporters, error, created_at, updated_at"#,
        holder,
        now.to_utc(),
        until.to_utc(),
        most
    )
    .fetch_all(db.pool())
    .await?;
    let held = rows.into_iter().map(|row| {
        let project = row.project_id.into();
        let (target, sealed) = row.into_sealed();
        Held {
            project,
            target,
            sealed,
        }
    });
    Ok(held.collect())
}

/// Which of some targets are scraped by nobody any more, because they were deleted or switched off; those of projects
/// that were removed are not told.
///
/// # Errors
/// When Postgres is away.
pub async fn ended(
    db: &Postgres,
    targets: &[(ProjectId, ScrapeTargetId)],
) -> Result<Vec<ScrapeTargetId>, StoreError> {
    let (projects, ids): (Vec<Uuid>, Vec<Uuid>) = targets
        .iter()
        .map(|(project, id)| (project.as_uuid(), id.as_uuid()))
        .unzip();
    let ids = sqlx::query_scalar!(
        r#"SELECT asked.id AS "id!"
         FROM UNNEST($1::UUID[], $2::UUID[]) AS asked (project_id, id)
         JOIN projects ON projects.id = asked.project_id
         LEFT JOIN scrape_targets ON scrape_targets.id = asked.id
         WHERE scrape_targets.id IS NULL OR NOT scrape_targets.is_enabled"#,
        &projects,
        &ids
    )
    .fetch_all(db.pool())
    .await?;
    Ok(ids.into_iter().map(Into::into).collect())
}

/// Notes what became of scrapes of targets as they were set then.
///
/// # Errors
/// When Postgres is away.
pub async fn note(
    db: &Postgres,
    holder: Uuid,
    outcomes: &[(ScrapeTargetId, Timestamp, ScrapeOutcome)],
) -> Result<(), StoreError> {
    let rows = outcomes.iter().map(|(id, updated_at, outcome)| {
        json!({
            "id": id.to_string(),
            "updated_at": updated_at.to_string(),
            "scraped_at": outcome.at.to_string(),
            "duration_ns": outcome.duration.0,
            "samples": outcome.samples,
            "recognised": outcome.recognised,
            "exporters": outcome.exporters,
            "error": outcome.error,
        })
    });
    let rows = serde_json::Value::Array(rows.collect()).to_string();
    sqlx::query!(
        "WITH noted AS (
             SELECT
                 told.id, told.scraped_at, told.duration_ns, told.samples, told.recognised,
                 told.exporters, told.error
             FROM jsonb_to_recordset($2::TEXT::JSONB) AS told (
                 id UUID, updated_at TIMESTAMPTZ, scraped_at TIMESTAMPTZ, duration_ns BIGINT,
                 samples BIGINT, recognised BIGINT, exporters TEXT[], error TEXT
             )
             JOIN scrape_targets
                 ON scrape_targets.id = told.id AND scrape_targets.updated_at = told.updated_at
             WHERE scrape_targets.holder = $1
             FOR UPDATE OF scrape_targets SKIP LOCKED
         )
         UPDATE scrape_targets
         SET
             scraped_at = noted.scraped_at, duration_ns = noted.duration_ns,
             samples = noted.samples, recognised = noted.recognised,
             exporters = noted.exporters, error = noted.error
         FROM noted
         WHERE scrape_targets.id = noted.id",
        holder,
        rows
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Lets go of all that a server holds, so that any other may take them up at once.
///
/// # Errors
/// When Postgres is away.
pub async fn release(db: &Postgres, holder: Uuid) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE scrape_targets SET holder = NULL, held_until = NULL WHERE holder = $1",
        holder
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
