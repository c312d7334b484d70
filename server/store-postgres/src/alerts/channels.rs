//! Where projects are told. Addresses come and go sealed.

use domain::alert::channel::{AlertChannel, ChannelKind};
use domain::{AlertChannelId, ProjectId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError, Transaction};

struct Row {
    id: Uuid,
    name: String,
    kind: String,
    host: String,
    enabled: bool,
    tells_of_prompts: bool,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

impl Row {
    fn into_channel(self) -> AlertChannel {
        AlertChannel {
            id: self.id.into(),
            name: self.name,
            // The table's constraint keeps other names out.
            kind: ChannelKind::from_name(&self.kind).unwrap_or_default(),
            host: self.host,
            enabled: self.enabled,
            tells_of_prompts: self.tells_of_prompts,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        }
    }
}

/// Those of a project, by name.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<AlertChannel>, StoreError> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, name, kind, host, enabled, tells_of_prompts, created_at, updated_at
         FROM alert_channels
         WHERE project_id = $1
         ORDER BY name",
        project.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows.into_iter().map(Row::into_channel).collect())
}

/// Those that are on and hear of changes of prompts, with what is understood there.
///
/// # Errors
/// When Postgres is away.
pub async fn of_prompts(
    tx: &mut Transaction,
    project: ProjectId,
) -> Result<Vec<(AlertChannelId, ChannelKind)>, StoreError> {
    let rows = sqlx::query!(
        "SELECT id, kind FROM alert_channels
         WHERE project_id = $1 AND enabled AND tells_of_prompts
         ORDER BY name",
        project.as_uuid()
    )
    .fetch_all(tx.connection())
    .await?;
    // The table's constraint keeps other names out.
    let kind = |name: &str| ChannelKind::from_name(name).unwrap_or_default();
    Ok(rows
        .into_iter()
        .map(|row| (row.id.into(), kind(&row.kind)))
        .collect())
}

/// What is sealed of one: address and secret.
///
/// # Errors
/// When Postgres is away.
pub async fn target(
    db: &Postgres,
    project: ProjectId,
    id: AlertChannelId,
) -> Result<Option<Vec<u8>>, StoreError> {
    let row = sqlx::query!(
        "SELECT target FROM alert_channels WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| row.target))
}

/// Stores one, unless the project has `most` of them already; whether it was stored.
///
/// # Errors
/// `alert_channels_project_id_name_key` when its name is taken.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    (channel, target): (&AlertChannel, &[u8]),
    most: i64,
) -> Result<bool, StoreError> {
    let stored = sqlx::query!(
        "INSERT INTO alert_channels
             (id, project_id, name, kind, host, target, enabled, created_at, updated_at,
              tells_of_prompts)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $8, $10
         WHERE (SELECT count(*) FROM alert_channels WHERE project_id = $2) < $9",
        channel.id.as_uuid(),
        project.as_uuid(),
        channel.name,
        channel.kind.as_str(),
        channel.host,
        target,
        channel.enabled,
        channel.created_at.to_utc(),
        most,
        channel.tells_of_prompts
    )
    .execute(db.pool())
    .await?;
    Ok(stored.rows_affected() == 1)
}

/// Sets one anew; whether the project has it.
///
/// # Errors
/// `alert_channels_project_id_name_key` when its name is taken.
pub async fn replace(
    db: &Postgres,
    project: ProjectId,
    (channel, target): (&AlertChannel, &[u8]),
) -> Result<bool, StoreError> {
    let replaced = sqlx::query!(
        "UPDATE alert_channels
         SET name = $3, host = $4, target = $5, enabled = $6, updated_at = $7,
             tells_of_prompts = $8
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        channel.id.as_uuid(),
        channel.name,
        channel.host,
        target,
        channel.enabled,
        channel.updated_at.to_utc(),
        channel.tells_of_prompts
    )
    .execute(db.pool())
    .await?;
    Ok(replaced.rows_affected() == 1)
}

/// Deletes one, with the messages that wait for it; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    id: AlertChannelId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM alert_channels WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}
