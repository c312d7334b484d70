//! What came of rules.

use domain::alert::Severity;
use domain::alert::incident::{Happening, Incident, IncidentState, Moment};
use domain::alert::state::Resolution;
use domain::{AlertRuleId, IncidentId, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use super::json;
use crate::{Postgres, StoreError, Transaction};

struct Row {
    id: Uuid,
    rule_id: Option<Uuid>,
    subject: String,
    severity: String,
    state: String,
    suppressed_by: Option<Uuid>,
    onset: OffsetDateTime,
    fired_at: OffsetDateTime,
    acknowledged_at: Option<OffsetDateTime>,
    resolved_at: Option<OffsetDateTime>,
    resolution: Option<String>,
}

impl Row {
    fn into_incident(self) -> Result<Incident, StoreError> {
        let resolution = self.resolution.as_deref().and_then(Resolution::from_name);
        let subject = serde_json::from_str(&self.subject);
        Ok(Incident {
            id: self.id.into(),
            rule_id: self.rule_id.map(Into::into),
            subject: subject.map_err(|error| StoreError::Row(error.into()))?,
            severity: Severity::from_name(&self.severity).unwrap_or_default(),
            state: IncidentState::from_name(&self.state).unwrap_or_default(),
            suppressed_by: self.suppressed_by.map(Into::into),
            onset: self.onset.into(),
            fired_at: self.fired_at.into(),
            acknowledged_at: self.acknowledged_at.map(Into::into),
            resolved_at: self.resolved_at.map(Into::into),
            resolution,
        })
    }
}

/// Columns of an incident, and what follows them.
macro_rules! select_incidents {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 id, rule_id, subject::TEXT AS "subject!", severity, state, suppressed_by, onset,
                 fired_at, acknowledged_at, resolved_at, resolution
             FROM incidents "# + $rest
            $(, $parameter)*
        )
    };
}

/// Which incidents.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// In that state.
    pub state: Option<IncidentState>,
    /// Kept silent or not.
    pub suppressed: Option<bool>,
    /// Kept silent by that rule.
    pub suppressed_by: Option<AlertRuleId>,
    /// After that one, in the order of the list.
    pub after: Option<(Timestamp, IncidentId)>,
}

/// Those of a project, the newest first.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    wanted: &Wanted,
    limit: u32,
) -> Result<Vec<Incident>, StoreError> {
    let rows = select_incidents!(
        "WHERE project_id = $1
             AND ($2::TEXT IS NULL OR state = $2)
             AND ($3::BOOLEAN IS NULL OR (suppressed_by IS NOT NULL) = $3)
             AND ($4::UUID IS NULL OR suppressed_by = $4)
             AND ($5::TIMESTAMPTZ IS NULL OR (fired_at, id) < ($5, $6::UUID))
         ORDER BY fired_at DESC, id DESC
         LIMIT $7",
        project.as_uuid(),
        wanted.state.map(IncidentState::as_str),
        wanted.suppressed,
        wanted.suppressed_by.map(AlertRuleId::as_uuid),
        wanted.after.map(|(at, _)| at.to_utc()),
        wanted.after.map(|(_, id)| id.as_uuid()),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_incident).collect()
}

/// How many of a project go on that were told, `most` at most.
///
/// # Errors
/// When Postgres is away.
pub async fn count_going_on(
    db: &Postgres,
    project: ProjectId,
    most: u32,
) -> Result<u64, StoreError> {
    let count = sqlx::query_scalar!(
        r#"SELECT COUNT(*) AS "count!" FROM (
             SELECT id FROM incidents
             WHERE project_id = $1 AND state <> 'resolved' AND suppressed_by IS NULL
             LIMIT $2
         ) AS going_on"#,
        project.as_uuid(),
        i64::from(most)
    )
    .fetch_one(db.pool())
    .await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Those that a composite rule kept silent and that overlap a stretch of time.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn suppressed(
    db: &Postgres,
    project: ProjectId,
    by: AlertRuleId,
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<Incident>, StoreError> {
    let rows = select_incidents!(
        "WHERE project_id = $1 AND suppressed_by = $2
             AND fired_at <= $4 AND (resolved_at IS NULL OR resolved_at >= $3)
         ORDER BY fired_at, id
         LIMIT 100",
        project.as_uuid(),
        by.as_uuid(),
        from.to_utc(),
        to.to_utc()
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter().map(Row::into_incident).collect()
}

/// One of a project.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    id: IncidentId,
) -> Result<Option<Incident>, StoreError> {
    let row = select_incidents!(
        "WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::into_incident).transpose()
}

/// Those of a rule that go on.
///
/// # Errors
/// When Postgres is away, or a row cannot be understood.
pub async fn going_on(
    tx: &mut Transaction,
    project: ProjectId,
    rule: AlertRuleId,
) -> Result<Vec<Incident>, StoreError> {
    let rows = select_incidents!(
        "WHERE project_id = $1 AND rule_id = $2 AND state <> 'resolved'
         ORDER BY fired_at, id
         FOR UPDATE",
        project.as_uuid(),
        rule.as_uuid()
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(Row::into_incident).collect()
}

/// Opens one; whether it was not there before.
///
/// # Errors
/// When Postgres is away.
pub async fn open(
    tx: &mut Transaction,
    project: ProjectId,
    incident: &Incident,
) -> Result<bool, StoreError> {
    let opened = sqlx::query!(
        "INSERT INTO incidents
             (id, project_id, rule_id, subject, severity, state, suppressed_by, onset, fired_at)
         SELECT $1, $2, $3, $4::TEXT::JSONB, $5, 'open', $6, $7, $8
         ON CONFLICT ON CONSTRAINT incidents_pkey DO NOTHING",
        incident.id.as_uuid(),
        project.as_uuid(),
        incident.rule_id.map(AlertRuleId::as_uuid),
        json(&incident.subject),
        incident.severity.as_str(),
        incident.suppressed_by.map(AlertRuleId::as_uuid),
        incident.onset.to_utc(),
        incident.fired_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(opened.rows_affected() == 1)
}

/// Ends one; as it is then, `None` where it is over already or the project does not have it.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn resolve(
    tx: &mut Transaction,
    project: ProjectId,
    id: IncidentId,
    (at, why): (Timestamp, Resolution),
) -> Result<Option<Incident>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"UPDATE incidents SET state = 'resolved', resolved_at = $3, resolution = $4
         WHERE project_id = $1 AND id = $2 AND state <> 'resolved'
         RETURNING
             id, rule_id, subject::TEXT AS "subject!", severity, state, suppressed_by, onset,
             fired_at, acknowledged_at, resolved_at, resolution"#,
        project.as_uuid(),
        id.as_uuid(),
        at.to_utc(),
        why.as_str()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(Row::into_incident).transpose()
}

/// Notes that somebody knows of one that is open; whether that is new.
///
/// # Errors
/// When Postgres is away.
pub async fn acknowledge(
    tx: &mut Transaction,
    project: ProjectId,
    id: IncidentId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let noted = sqlx::query!(
        "UPDATE incidents SET state = 'acknowledged', acknowledged_at = $3
         WHERE project_id = $1 AND id = $2 AND state = 'open'",
        project.as_uuid(),
        id.as_uuid(),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(noted.rows_affected() == 1)
}

/// Writes a moment into a time line.
///
/// # Errors
/// When Postgres is away.
pub async fn note(
    tx: &mut Transaction,
    project: ProjectId,
    id: IncidentId,
    moment: &Moment,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO incident_moments (incident_id, at, what, detail)
         SELECT id, $3, $4, $5 FROM incidents WHERE project_id = $1 AND id = $2
         ON CONFLICT ON CONSTRAINT incident_moments_pkey DO NOTHING",
        project.as_uuid(),
        id.as_uuid(),
        moment.at.to_utc(),
        moment.what.as_str(),
        moment.detail
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// The time line of one.
///
/// # Errors
/// When Postgres is away.
pub async fn moments(
    db: &Postgres,
    project: ProjectId,
    id: IncidentId,
) -> Result<Vec<Moment>, StoreError> {
    let rows = sqlx::query!(
        "SELECT at, what, detail
         FROM incident_moments
         JOIN incidents ON incidents.id = incident_id
         WHERE project_id = $1 AND incident_id = $2
         ORDER BY at, what, detail
         LIMIT 1000",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let moments = rows.into_iter().map(|row| Moment {
        at: row.at.into(),
        what: Happening::from_name(&row.what).unwrap_or_default(),
        detail: row.detail,
    });
    Ok(moments.collect())
}
