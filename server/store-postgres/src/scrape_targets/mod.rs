//! Targets that metrics are fetched from. Credentials come and go sealed.

/// A row, and what it says.
mod row;
/// Who scrapes what, and what became of it.
mod work;

pub use row::Sealed;
pub use work::{Held, ended, hold, note, release};

use domain::scrape::{ScrapeTarget, TargetDraft};
use domain::{ProjectId, ScrapeTargetId};

use crate::{Postgres, StoreError};
use row::{Row, auth_kind, auth_user, json};

/// Reads targets: their columns stand once, since checked queries must be literals.
macro_rules! select_scrape_targets {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 id, project_id, name, url, kind, interval_s, labels::TEXT AS "labels!", is_enabled,
                 auth_kind, auth_user, auth_secret, scraped_at, duration_ns, samples, recognised,
                 exporters, error, created_at, updated_at
             FROM scrape_targets "# + $rest
            $(, $parameter)*
        )
    };
}

/// All targets of a project, by name.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<ScrapeTarget>, StoreError> {
    let rows = select_scrape_targets!("WHERE project_id = $1 ORDER BY name", project.as_uuid())
        .fetch_all(db.pool())
        .await?;
    Ok(rows.into_iter().map(Row::into_target).collect())
}

/// A target with its sealed credential; `None` when the project has no such one.
///
/// # Errors
/// When Postgres is away.
pub async fn find(
    db: &Postgres,
    project: ProjectId,
    id: ScrapeTargetId,
) -> Result<Option<(ScrapeTarget, Sealed)>, StoreError> {
    let row = select_scrape_targets!(
        "WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(Row::into_sealed))
}

/// Makes one, unless the project has `most` of them already; whether it was made.
///
/// # Errors
/// `scrape_targets_project_id_name_key` when the project has one of that name.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    (new, sealed): (&ScrapeTarget, &Sealed),
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &new.draft;
    let made = sqlx::query!(
        "INSERT INTO scrape_targets
             (id, project_id, name, url, kind, interval_s, labels, is_enabled, auth_kind,
              auth_user, auth_secret, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7::TEXT::JSONB, $8, $9, $10, $11, $12, $12
         WHERE (SELECT count(*) FROM scrape_targets WHERE project_id = $2) < $13",
        new.id.as_uuid(),
        project.as_uuid(),
        draft.name,
        draft.url,
        draft.kind.as_str(),
        interval(draft),
        json(draft),
        draft.is_enabled,
        auth_kind(new),
        auth_user(new),
        sealed.as_deref(),
        new.created_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(made.rows_affected() == 1)
}

/// Puts what is set in the place of what was, unless somebody changed it since `known`; what became of the last scrape is
/// forgotten. Whether it was put there.
///
/// # Errors
/// As [`create`].
pub async fn update(
    db: &Postgres,
    project: ProjectId,
    (new, sealed): (&ScrapeTarget, &Sealed),
    known: &ScrapeTarget,
) -> Result<bool, StoreError> {
    let draft = &new.draft;
    let updated = sqlx::query!(
        "UPDATE scrape_targets
         SET
             name = $3, url = $4, kind = $5, interval_s = $6, labels = $7::TEXT::JSONB,
             is_enabled = $8, auth_kind = $9, auth_user = $10, auth_secret = $11, updated_at = $12,
             scraped_at = NULL, duration_ns = NULL, samples = NULL, recognised = NULL,
             exporters = NULL, error = NULL
         WHERE project_id = $1 AND id = $2 AND updated_at = $13",
        project.as_uuid(),
        new.id.as_uuid(),
        draft.name,
        draft.url,
        draft.kind.as_str(),
        interval(draft),
        json(draft),
        draft.is_enabled,
        auth_kind(new),
        auth_user(new),
        sealed.as_deref(),
        new.updated_at.to_utc(),
        known.updated_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Deletes one; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    id: ScrapeTargetId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM scrape_targets WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

fn interval(draft: &TargetDraft) -> i32 {
    i32::try_from(draft.interval_s).unwrap_or(i32::MAX)
}
