//! What happened in the business.

use domain::business_event::{BusinessEvent, BusinessKind};
use domain::{ProjectId, Timestamp};
use time::OffsetDateTime;

use crate::{Postgres, StoreError, Transaction};

struct Row {
    id: String,
    kind: String,
    name: Option<String>,
    at: OffsetDateTime,
    trace_id: Option<String>,
    user_id: Option<String>,
    session_id: Option<String>,
    ab_group: Option<String>,
    value: Option<f64>,
    attributes: String,
}

impl Row {
    fn into_event(self) -> BusinessEvent {
        BusinessEvent {
            id: self.id,
            kind: BusinessKind::from_name(&self.kind).unwrap_or_default(),
            name: self.name,
            at: self.at.into(),
            trace_id: self.trace_id,
            user_id: self.user_id,
            session_id: self.session_id,
            ab_group: self.ab_group,
            value: self.value,
            // What is no object was not written here.
            attributes: serde_json::from_str(&self.attributes).unwrap_or_default(),
        }
    }
}

/// Which events.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// From this time on.
    pub from: Timestamp,
    /// Before this time.
    pub to: Timestamp,
    /// Of that kind.
    pub kind: Option<BusinessKind>,
    /// Of that name.
    pub name: Option<String>,
    /// Of that trace.
    pub trace_id: Option<String>,
    /// Of that user.
    pub user_id: Option<String>,
    /// Of that session.
    pub session_id: Option<String>,
    /// Of that group of an experiment.
    pub ab_group: Option<String>,
    /// What follows that one in the order of the list.
    pub after: Option<(Timestamp, String)>,
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
) -> Result<Vec<BusinessEvent>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT
             id,
             kind,
             name,
             at,
             trace_id,
             user_id,
             session_id,
             ab_group,
             value,
             attributes::TEXT AS "attributes!"
         FROM business_events
         WHERE project_id = $1
             AND at >= $2
             AND at < $3
             AND ($4::TEXT IS NULL OR kind = $4)
             AND ($5::TEXT IS NULL OR name = $5)
             AND ($6::TEXT IS NULL OR trace_id = $6)
             AND ($7::TEXT IS NULL OR user_id = $7)
             AND ($8::TEXT IS NULL OR session_id = $8)
             AND ($9::TEXT IS NULL OR ab_group = $9)
             AND ($10::TIMESTAMPTZ IS NULL OR (at, id) < ($10, $11::TEXT))
         ORDER BY at DESC, id DESC
         LIMIT $12"#,
        project.as_uuid(),
        wanted.from.to_utc(),
        wanted.to.to_utc(),
        wanted.kind.map(BusinessKind::as_str),
        wanted.name,
        wanted.trace_id,
        wanted.user_id,
        wanted.session_id,
        wanted.ab_group,
        wanted.after.as_ref().map(|(at, _)| at.to_utc()),
        wanted.after.as_ref().map(|(_, id)| id.as_str()),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows.into_iter().map(Row::into_event).collect())
}

/// Those of a range without their attributes, the newest `limit`, in any order.
///
/// # Errors
/// When Postgres is away.
pub async fn outlines(
    db: &Postgres,
    project: ProjectId,
    (from, to): (Timestamp, Timestamp),
    limit: u32,
) -> Result<Vec<BusinessEvent>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT
             id,
             kind,
             name,
             at,
             trace_id,
             user_id,
             session_id,
             ab_group,
             value,
             '{}' AS "attributes!"
         FROM business_events
         WHERE project_id = $1 AND at >= $2 AND at < $3
         ORDER BY at DESC, id DESC
         LIMIT $4"#,
        project.as_uuid(),
        from.to_utc(),
        to.to_utc(),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows.into_iter().map(Row::into_event).collect())
}

/// Stores events, all or none; how many of them are new. One that is there already stays as it is.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    events: &[BusinessEvent],
) -> Result<u64, StoreError> {
    let texts = |part: fn(&BusinessEvent) -> Option<&String>| -> Vec<Option<String>> {
        events.iter().map(|event| part(event).cloned()).collect()
    };
    let ids: Vec<String> = events.iter().map(|event| event.id.clone()).collect();
    let kinds: Vec<String> = events
        .iter()
        .map(|event| event.kind.as_str().to_owned())
        .collect();
    let times: Vec<OffsetDateTime> = events.iter().map(|event| event.at.to_utc()).collect();
    let values: Vec<Option<f64>> = events.iter().map(|event| event.value).collect();
    let attributes: Vec<String> = events
        .iter()
        .map(|event| serde_json::Value::from(event.attributes.clone()).to_string())
        .collect();
    let stored = sqlx::query!(
        "INSERT INTO business_events
             (project_id, id, kind, name, at, trace_id, user_id, session_id, ab_group, value, attributes)
         SELECT
             $1, sent.id, sent.kind, sent.name, sent.at, sent.trace_id, sent.user_id, sent.session_id,
             sent.ab_group, sent.value, sent.attributes::JSONB
         FROM UNNEST(
             $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TIMESTAMPTZ[], $6::TEXT[], $7::TEXT[], $8::TEXT[],
             $9::TEXT[], $10::DOUBLE PRECISION[], $11::TEXT[]
         ) AS sent (id, kind, name, at, trace_id, user_id, session_id, ab_group, value, attributes)
         ON CONFLICT ON CONSTRAINT business_events_pkey DO NOTHING",
        project.as_uuid(),
        &ids,
        &kinds,
        &texts(|event| event.name.as_ref()) as &[Option<String>],
        &times,
        &texts(|event| event.trace_id.as_ref()) as &[Option<String>],
        &texts(|event| event.user_id.as_ref()) as &[Option<String>],
        &texts(|event| event.session_id.as_ref()) as &[Option<String>],
        &texts(|event| event.ab_group.as_ref()) as &[Option<String>],
        &values as &[Option<f64>],
        &attributes
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected())
}

/// Deletes those of traces.
///
/// # Errors
/// When Postgres is away.
pub async fn forget(
    tx: &mut Transaction,
    project: ProjectId,
    trace_ids: &[String],
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM business_events WHERE project_id = $1 AND trace_id = ANY($2)",
        project.as_uuid(),
        trace_ids
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes one; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(db: &Postgres, project: ProjectId, id: &str) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM business_events WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}
