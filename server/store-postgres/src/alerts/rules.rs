//! Rules.

use domain::alert::{AlertSeries, Kind, Rule, RuleDraft, Severity};
use domain::{AlertRuleId, Fault, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use super::json;
use crate::{Postgres, StoreError, Transaction};

struct Row {
    id: Uuid,
    name: String,
    kind: String,
    params: String,
    series: Option<String>,
    filter: String,
    for_s: i32,
    severity: String,
    channels: Vec<Uuid>,
    enabled: bool,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

impl Row {
    fn into_rule(self) -> Result<Rule, StoreError> {
        let unread = |error: serde_json::Error| StoreError::Row(error.into());
        let unknown = |fault: Fault| StoreError::Row(fault.into());
        let params = serde_json::from_str(&self.params).map_err(unread)?;
        let series = self.series.as_deref().map(AlertSeries::parse);
        Ok(Rule {
            id: self.id.into(),
            draft: RuleDraft {
                name: self.name,
                kind: Kind::parse(&self.kind, &params).map_err(unknown)?,
                series: series.transpose().map_err(unknown)?,
                filter: serde_json::from_str(&self.filter).map_err(unread)?,
                for_s: u64::from(self.for_s.unsigned_abs()),
                severity: Severity::from_name(&self.severity).unwrap_or_default(),
                channels: self.channels.into_iter().map(Into::into).collect(),
                enabled: self.enabled,
            },
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}

/// Those of a project, the oldest first.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<Rule>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT
             id, name, kind, params::TEXT AS "params!", series, filter::TEXT AS "filter!", for_s,
             severity, channels, enabled, created_at, updated_at
         FROM alert_rules
         WHERE project_id = $1
         ORDER BY created_at, id"#,
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_rule).collect()
}

/// Stores one, unless the project has `most` of them already; whether it was stored. From then on the project's rules
/// are looked at.
///
/// # Errors
/// `alert_rules_project_id_name_key` when its name is taken.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    rule: &Rule,
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &rule.draft;
    let channels: Vec<Uuid> = draft.channels.iter().map(|id| id.as_uuid()).collect();
    let mut tx = db.begin().await?;
    let stored = sqlx::query!(
        "INSERT INTO alert_rules
             (id, project_id, name, kind, params, series, filter, for_s, severity, channels, enabled,
              created_at, updated_at)
         SELECT $1, $2, $3, $4, $5::TEXT::JSONB, $6, $7::TEXT::JSONB, $8, $9, $10, $11, $12, $12
         WHERE (SELECT count(*) FROM alert_rules WHERE project_id = $2) < $13",
        rule.id.as_uuid(),
        project.as_uuid(),
        draft.name,
        draft.kind.name(),
        json(&draft.kind.params()),
        draft.series.as_ref().map(ToString::to_string),
        json(&draft.filter),
        i32::try_from(draft.for_s).unwrap_or(i32::MAX),
        draft.severity.as_str(),
        &channels,
        draft.enabled,
        rule.created_at.to_utc(),
        most
    )
    .execute(tx.connection())
    .await?;
    if stored.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "INSERT INTO alert_progress (project_id, evaluated_until, next_at)
         VALUES ($1, $2, $2)
         ON CONFLICT ON CONSTRAINT alert_progress_pkey DO UPDATE SET next_at = excluded.next_at",
        project.as_uuid(),
        rule.created_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    tx.commit().await?;
    Ok(true)
}

/// Sets one anew; whether the project has it. Whoever looks at the project's rules loses the turn: what they saw was
/// of the old one.
///
/// # Errors
/// `alert_rules_project_id_name_key` when its name is taken.
pub async fn replace(
    tx: &mut Transaction,
    project: ProjectId,
    (rule, forgets): (&Rule, Forgets),
) -> Result<bool, StoreError> {
    let draft = &rule.draft;
    let channels: Vec<Uuid> = draft.channels.iter().map(|id| id.as_uuid()).collect();
    let replaced = sqlx::query!(
        "UPDATE alert_rules
         SET
             name = $3, kind = $4, params = $5::TEXT::JSONB, series = $6, filter = $7::TEXT::JSONB,
             for_s = $8, severity = $9, channels = $10, enabled = $11, updated_at = $12
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        rule.id.as_uuid(),
        draft.name,
        draft.kind.name(),
        json(&draft.kind.params()),
        draft.series.as_ref().map(ToString::to_string),
        json(&draft.filter),
        i32::try_from(draft.for_s).unwrap_or(i32::MAX),
        draft.severity.as_str(),
        &channels,
        draft.enabled,
        rule.updated_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    if forgets == Forgets::States {
        sqlx::query!(
            "DELETE FROM alert_states WHERE rule_id = $1",
            rule.id.as_uuid()
        )
        .execute(tx.connection())
        .await?;
    }
    end_turn(tx, project, rule.updated_at).await?;
    Ok(replaced.rows_affected() == 1)
}

/// Whether a change of a rule makes what was seen of it meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgets {
    /// It looks at something else.
    States,
    /// It looks at the same.
    Nothing,
}

/// Deletes one at an instant; whether the project had it. Its incidents stay.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    tx: &mut Transaction,
    (project, id): (ProjectId, AlertRuleId),
    at: Timestamp,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM alert_rules WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(tx.connection())
    .await?;
    end_turn(tx, project, at).await?;
    Ok(deleted.rows_affected() == 1)
}

async fn end_turn(
    tx: &mut Transaction,
    project: ProjectId,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE alert_progress
         SET claim = NULL, held_until = NULL, next_at = least(next_at, $2)
         WHERE project_id = $1",
        project.as_uuid(),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
