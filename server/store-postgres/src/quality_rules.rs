//! What projects expect of answers.

use domain::quality::{QualityRule, QualityRuleDraft};
use domain::{ProjectId, QualityRuleId};

use crate::{Postgres, StoreError};

/// All rules of a project, the oldest first: the order in which they are asked.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<QualityRule>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             id,
             definition::TEXT AS "definition!",
             created_at
         FROM quality_rules
         WHERE project_id = $1
         ORDER BY created_at, id"#,
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let rules = rows.into_iter().map(|row| QualityRule {
        id: row.id.into(),
        // What is no such definition was not written here.
        draft: serde_json::from_str(&row.definition).unwrap_or_default(),
        created_at: row.created_at.into(),
    });
    Ok(rules.collect())
}

/// Stores a rule, unless the project has `most` of them already; whether it was stored.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    rule: &QualityRule,
    most: i64,
) -> Result<bool, StoreError> {
    let stored = sqlx::query!(
        "INSERT INTO quality_rules (id, project_id, definition, created_at)
         SELECT $1, $2, $3::TEXT::JSONB, $4
         WHERE (SELECT count(*) FROM quality_rules WHERE project_id = $2) < $5",
        rule.id.as_uuid(),
        project.as_uuid(),
        json(&rule.draft),
        rule.created_at.to_utc(),
        most
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Deletes a rule; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    id: QualityRuleId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM quality_rules WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

fn json(draft: &QualityRuleDraft) -> String {
    serde_json::to_string(draft).unwrap_or_else(|_| "{}".to_owned())
}
