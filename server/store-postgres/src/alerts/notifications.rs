//! Messages on their way. Each is written together with what it tells of, and sent by whatever server takes it up;
//! what
//! follows from an incident is told after that it began, that it is over last.

use domain::alert::channel::ChannelKind;
use domain::alert::notice::Occasion;
use domain::{AlertChannelId, IncidentId, ProjectId, Timestamp};
use uuid::Uuid;

use crate::{Postgres, StoreError, Transaction};

/// A message.
pub struct Notification<'n> {
    /// Its id, the same however often it is asked for.
    pub id: Uuid,
    /// What it tells of; `None`: a change of a prompt.
    pub incident: Option<IncidentId>,
    /// Where to.
    pub channel: AlertChannelId,
    /// What it tells.
    pub occasion: Occasion,
    /// What is sent.
    pub body: &'n str,
}

/// Puts a message in the queue, unless it was there before.
///
/// # Errors
/// When Postgres is away.
pub async fn push(
    tx: &mut Transaction,
    project: ProjectId,
    notification: &Notification<'_>,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO notifications
             (id, project_id, incident_id, channel_id, occasion, body, state, tries, next_at,
              created_at)
         SELECT $1, $2, $3, id, $5, $6, 'waiting', 0, $7, $7
         FROM alert_channels
         WHERE project_id = $2 AND id = $4
         ON CONFLICT DO NOTHING",
        notification.id,
        project.as_uuid(),
        notification.incident.map(IncidentId::as_uuid),
        notification.channel.as_uuid(),
        notification.occasion.as_str(),
        notification.body,
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Messages about an incident that nobody has tried to send yet, with what is understood there; held in this transaction.
///
/// # Errors
/// When Postgres is away.
pub async fn untried(
    tx: &mut Transaction,
    (project, incident): (ProjectId, IncidentId),
    occasion: Occasion,
) -> Result<Vec<(Uuid, ChannelKind)>, StoreError> {
    let rows = sqlx::query!(
        "SELECT n.id, c.kind
         FROM notifications n
         JOIN alert_channels c ON c.id = n.channel_id
         WHERE n.project_id = $1 AND n.incident_id = $2 AND n.occasion = $3
             AND n.state = 'waiting' AND n.tries = 0
         FOR UPDATE OF n SKIP LOCKED",
        project.as_uuid(),
        incident.as_uuid(),
        occasion.as_str()
    )
    .fetch_all(tx.connection())
    .await?;
    // The tables' constraints keep other names out.
    let kind = |name: &str| ChannelKind::from_name(name).unwrap_or_default();
    Ok(rows
        .into_iter()
        .map(|row| (row.id, kind(&row.kind)))
        .collect())
}

/// Gives a message that is held, and was never tried, another body.
///
/// # Errors
/// When Postgres is away.
pub async fn rewrite(
    tx: &mut Transaction,
    project: ProjectId,
    id: Uuid,
    body: &str,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE notifications SET body = $3
         WHERE project_id = $1 AND id = $2 AND state = 'waiting' AND tries = 0",
        project.as_uuid(),
        id,
        body
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A message that a server sends now.
pub struct Taken {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub project: ProjectId,
    /// What it tells of; `None`: a change of a prompt.
    pub incident: Option<IncidentId>,
    /// Where to.
    pub channel: AlertChannelId,
    /// Name of the channel.
    pub channel_name: String,
    /// What is understood there.
    pub kind: ChannelKind,
    /// Address and secret, sealed.
    pub target: Vec<u8>,
    /// What it tells.
    pub occasion: Occasion,
    /// What is sent.
    pub body: String,
    /// How often it was tried, this time included.
    pub tries: u32,
}

/// Takes up a message that is due, and keeps others from it until `held_until`.
///
/// # Errors
/// When Postgres is away.
pub async fn take(
    db: &Postgres,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<Taken>, StoreError> {
    let row = sqlx::query!(
        "UPDATE notifications SET tries = tries + 1, next_at = $2
         FROM alert_channels
         WHERE alert_channels.id = channel_id AND notifications.id = (
             SELECT n.id FROM notifications n
             WHERE n.state = 'waiting' AND n.next_at <= $1
                 AND NOT EXISTS (
                     SELECT FROM notifications earlier
                     WHERE earlier.incident_id = n.incident_id
                         AND earlier.channel_id = n.channel_id
                         AND earlier.state = 'waiting'
                         AND (earlier.occasion = 'fired' AND n.occasion <> 'fired'
                             OR earlier.occasion <> 'resolved' AND n.occasion = 'resolved')
                 )
             ORDER BY n.next_at
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         RETURNING
             notifications.id, notifications.project_id, incident_id, channel_id,
             alert_channels.name, kind, target, occasion, body, tries",
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Taken {
        id: row.id,
        project: row.project_id.into(),
        incident: row.incident_id.map(Into::into),
        channel: row.channel_id.into(),
        channel_name: row.name,
        // The tables' constraints keep other names out.
        kind: ChannelKind::from_name(&row.kind).unwrap_or_default(),
        target: row.target,
        occasion: Occasion::from_name(&row.occasion).unwrap_or_default(),
        body: row.body,
        tries: row.tries.unsigned_abs(),
    }))
}

/// What became of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was taken.
    Sent,
    /// It is tried again then.
    Again(Timestamp),
    /// It is given up.
    GivenUp,
}

/// Notes what became of a try: the status of the answer, or why there was none.
///
/// # Errors
/// When Postgres is away.
pub async fn tried(
    tx: &mut Transaction,
    (project, id): (ProjectId, Uuid),
    outcome: &Outcome,
    (status, error): (Option<u16>, Option<&str>),
) -> Result<(), StoreError> {
    let (state, next_at) = match outcome {
        Outcome::Sent => ("sent", None),
        Outcome::Again(at) => ("waiting", Some(at.to_utc())),
        Outcome::GivenUp => ("failed", None),
    };
    sqlx::query!(
        "UPDATE notifications
         SET state = $3, next_at = coalesce($4, next_at), last_status = $5, last_error = $6
         WHERE project_id = $1 AND id = $2 AND state = 'waiting'",
        project.as_uuid(),
        id,
        state,
        next_at,
        status.map(i32::from),
        error
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// How messages about an incident stand.
pub struct Delivery {
    /// Its id.
    pub id: Uuid,
    /// Name of the channel.
    pub channel: String,
    /// What it tells.
    pub occasion: String,
    /// `waiting`, `sent`, `failed`.
    pub state: String,
    /// How often it was tried.
    pub tries: u32,
    /// Status of the last answer.
    pub last_status: Option<i32>,
    /// Why there was none.
    pub last_error: Option<String>,
}

/// How messages about an incident stand, in the order in which they were written.
///
/// # Errors
/// When Postgres is away.
pub async fn of_incident(
    db: &Postgres,
    project: ProjectId,
    incident: IncidentId,
) -> Result<Vec<Delivery>, StoreError> {
    let rows = sqlx::query!(
        "SELECT notifications.id, name, occasion, state, tries, last_status, last_error
         FROM notifications
         JOIN alert_channels ON alert_channels.id = channel_id
         WHERE notifications.project_id = $1 AND incident_id = $2
         ORDER BY notifications.created_at, occasion, name",
        project.as_uuid(),
        incident.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let deliveries = rows.into_iter().map(|row| Delivery {
        id: row.id,
        channel: row.name,
        occasion: row.occasion,
        state: row.state,
        tries: row.tries.unsigned_abs(),
        last_status: row.last_status,
        last_error: row.last_error,
    });
    Ok(deliveries.collect())
}
