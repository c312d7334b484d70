//! What projects do not want stored, and how often it was found.

use domain::masking::{Counts, MaskingSettings};
use domain::{ProjectId, Timestamp};

use crate::{Postgres, StoreError, Transaction};

/// How often a rule found something on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayCount {
    /// The day in UTC, `2026-01-31`.
    pub day: String,
    /// The rule.
    pub rule: String,
    /// How often.
    pub found: u64,
}

/// What a project set: one, or none.
///
/// # Errors
/// When Postgres is away, or what is stored cannot be read: nothing may be stored then.
pub async fn settings(
    db: &Postgres,
    project: ProjectId,
) -> Result<Vec<MaskingSettings>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT definition::TEXT AS "definition!" FROM masking_settings WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    let read = |text: String| serde_json::from_str(&text);
    let settings = row.map(|row| read(row.definition)).transpose();
    let settings = settings.map_err(|error| StoreError::Row(error.into()))?;
    Ok(settings.into_iter().collect())
}

/// Sets it.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    tx: &mut Transaction,
    project: ProjectId,
    settings: &MaskingSettings,
) -> Result<(), StoreError> {
    let definition =
        serde_json::to_string(settings).map_err(|error| StoreError::Row(error.into()))?;
    sqlx::query!(
        "INSERT INTO masking_settings (project_id, definition)
         VALUES ($1, $2::TEXT::JSONB)
         ON CONFLICT ON CONSTRAINT masking_settings_pkey
         DO UPDATE SET definition = $2::TEXT::JSONB",
        project.as_uuid(),
        definition
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Counts what was found.
///
/// # Errors
/// When Postgres is away.
pub async fn count(
    db: &Postgres,
    project: ProjectId,
    at: Timestamp,
    counts: &Counts,
) -> Result<(), StoreError> {
    let (rules, found): (Vec<String>, Vec<i64>) = counts
        .iter()
        .map(|(rule, found)| (rule.to_owned(), i64::try_from(found).unwrap_or(i64::MAX)))
        .unzip();
    sqlx::query!(
        "INSERT INTO masking_counts (project_id, day, rule, found)
         SELECT p.id, ($2::TIMESTAMPTZ AT TIME ZONE 'UTC')::DATE, new.rule, new.found
         FROM UNNEST($3::TEXT[], $4::BIGINT[]) AS new (rule, found)
         JOIN projects p ON p.id = $1
         ON CONFLICT ON CONSTRAINT masking_counts_pkey
         DO UPDATE SET found = masking_counts.found + excluded.found",
        project.as_uuid(),
        at.to_utc(),
        &rules,
        &found
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// How often each rule found something since then, the latest day first.
///
/// # Errors
/// When Postgres is away.
pub async fn counts(
    db: &Postgres,
    project: ProjectId,
    since: Timestamp,
) -> Result<Vec<DayCount>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT to_char(day, 'YYYY-MM-DD') AS "day!", rule, found
         FROM masking_counts
         WHERE project_id = $1 AND day >= ($2::TIMESTAMPTZ AT TIME ZONE 'UTC')::DATE
         ORDER BY day DESC, rule"#,
        project.as_uuid(),
        since.to_utc()
    )
    .fetch_all(db.pool())
    .await?;
    let counts = rows.into_iter().map(|row| DayCount {
        day: row.day,
        rule: row.rule,
        found: row.found.unsigned_abs(),
    });
    Ok(counts.collect())
}
