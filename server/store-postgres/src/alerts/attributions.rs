//! What the symptoms of incidents come from: asked together with the incident, answered by whatever server takes it up.

use domain::alert::symptom::Symptom;
use domain::{IncidentId, ProjectId, Timestamp};
use serde_json::Value;

use super::json;
use crate::{Postgres, StoreError, Transaction};

/// Asks for the attribution of an incident, unless it is asked for.
///
/// # Errors
/// When Postgres is away.
pub async fn ask(
    tx: &mut Transaction,
    project: ProjectId,
    (incident, symptom): (IncidentId, &Symptom),
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO incident_attributions
             (incident_id, project_id, symptom, state, tries, next_at)
         SELECT id, project_id, $3::TEXT::JSONB, 'waiting', 0, $4
         FROM incidents
         WHERE project_id = $1 AND id = $2
         ON CONFLICT ON CONSTRAINT incident_attributions_pkey DO NOTHING",
        project.as_uuid(),
        incident.as_uuid(),
        json(symptom),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// One that a server makes now.
pub struct Taken {
    /// Whose it is.
    pub project: ProjectId,
    /// The incident.
    pub incident: IncidentId,
    /// What is asked.
    pub symptom: Symptom,
    /// How often it was tried, this time included.
    pub tries: u32,
    /// The answer that it has.
    pub answer: Option<Value>,
}

/// Takes up one that is due, and keeps others from it until `held_until`.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn take(
    db: &Postgres,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<Taken>, StoreError> {
    let row = sqlx::query!(
        r#"UPDATE incident_attributions SET tries = tries + 1, next_at = $2
         WHERE incident_id = (
             SELECT incident_id FROM incident_attributions
             WHERE state IN ('waiting', 'provisional') AND next_at <= $1
             ORDER BY next_at
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         RETURNING
             project_id, incident_id, symptom::TEXT AS "symptom!", tries, answer::TEXT AS answer"#,
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let read = |error: serde_json::Error| StoreError::Row(error.into());
    let answer = row.answer.as_deref().map(serde_json::from_str);
    Ok(Some(Taken {
        project: row.project_id.into(),
        incident: row.incident_id.into(),
        symptom: serde_json::from_str(&row.symptom).map_err(read)?,
        tries: row.tries.unsigned_abs(),
        answer: answer.transpose().map_err(read)?,
    }))
}

/// Where one stands after a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing<'s> {
    /// It has no answer, and is tried again then.
    Waiting(Timestamp, &'s str),
    /// It has an answer, and is looked at again then.
    Provisional(Timestamp),
    /// It has an answer that stays.
    Final,
    /// It has none, and gets none.
    Failed(&'s str),
}

/// Notes where one stands, with a new answer where there is one.
///
/// # Errors
/// When Postgres is away.
pub async fn note(
    tx: &mut Transaction,
    (project, incident): (ProjectId, IncidentId),
    standing: Standing<'_>,
    answer: Option<(&Value, Timestamp)>,
) -> Result<(), StoreError> {
    let (state, next_at, error) = match standing {
        Standing::Waiting(at, error) => ("waiting", Some(at), Some(error)),
        Standing::Provisional(at) => ("provisional", Some(at), None),
        Standing::Final => ("final", None, None),
        Standing::Failed(error) => ("failed", None, Some(error)),
    };
    sqlx::query!(
        "UPDATE incident_attributions
         SET state = $3,
             next_at = coalesce($4, next_at),
             last_error = $5,
             answer = coalesce($6::TEXT::JSON, answer),
             attached_at = coalesce($7, attached_at)
         WHERE project_id = $1 AND incident_id = $2",
        project.as_uuid(),
        incident.as_uuid(),
        state,
        next_at.map(|at| at.to_utc()),
        error,
        answer.map(|(answer, _)| answer.to_string()),
        answer.map(|(_, at)| at.to_utc())
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Lets one be looked at that soon, unless its answer stays: the incident is over.
///
/// # Errors
/// When Postgres is away.
pub async fn hurry(
    tx: &mut Transaction,
    (project, incident): (ProjectId, IncidentId),
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE incident_attributions SET next_at = least(next_at, $3)
         WHERE project_id = $1 AND incident_id = $2 AND state IN ('waiting', 'provisional')",
        project.as_uuid(),
        incident.as_uuid(),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// The attribution of an incident as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Attached {
    /// `waiting`, `provisional`, `final`, `failed`.
    pub state: String,
    /// How often it was tried.
    pub tries: u32,
    /// The answer, as `POST /api/v1/attributions` gives it.
    pub answer: Option<Value>,
    /// When that was made.
    pub attached_at: Option<Timestamp>,
    /// Why there is none.
    pub last_error: Option<String>,
}

struct Row {
    state: String,
    tries: i32,
    answer: Option<String>,
    attached_at: Option<time::OffsetDateTime>,
    last_error: Option<String>,
}

impl Row {
    fn into_attached(self) -> Result<Attached, StoreError> {
        let answer = self.answer.as_deref().map(serde_json::from_str);
        Ok(Attached {
            state: self.state,
            tries: self.tries.unsigned_abs(),
            answer: answer
                .transpose()
                .map_err(|error| StoreError::Row(error.into()))?,
            attached_at: self.attached_at.map(Into::into),
            last_error: self.last_error,
        })
    }
}

/// The attribution of an incident; `None`: it is asked for none.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    incident: IncidentId,
) -> Result<Option<Attached>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        "SELECT state, tries, answer::TEXT AS answer, attached_at, last_error
         FROM incident_attributions
         WHERE project_id = $1 AND incident_id = $2",
        project.as_uuid(),
        incident.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::into_attached).transpose()
}

/// The answer that an incident has.
///
/// # Errors
/// When Postgres is away, or the row cannot be understood.
pub async fn answer(
    tx: &mut Transaction,
    project: ProjectId,
    incident: IncidentId,
) -> Result<Option<Value>, StoreError> {
    let text = sqlx::query_scalar!(
        "SELECT answer::TEXT FROM incident_attributions
         WHERE project_id = $1 AND incident_id = $2",
        project.as_uuid(),
        incident.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    let answer = text.flatten().map(|text| serde_json::from_str(&text));
    answer
        .transpose()
        .map_err(|error| StoreError::Row(error.into()))
}
