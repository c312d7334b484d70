//! Histories being priced anew.

use domain::cost::{Reprice, RepriceState};
use domain::filter::Filter;
use domain::{ProjectId, RepriceId, Timestamp};

use crate::{Postgres, StoreError};

/// One that a server has taken up.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Its project.
    pub project_id: ProjectId,
    /// What it is, and how far.
    pub reprice: Reprice,
    /// Where it goes on: what the telemetry store made of the last call looked at.
    pub place: Option<String>,
    /// How often it was taken up without going on, this time included.
    pub tries: i32,
}

/// Stores a new one.
///
/// # Errors
/// `reprices_one_running_key` when the project has one that runs.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    reprice: &Reprice,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO reprices
             (id, project_id, filter, state, done, changed, tries, held_until, created_at, updated_at)
         VALUES ($1, $2, $3::TEXT::JSONB, 'running', 0, 0, 0, $4, $4, $4)",
        reprice.id.as_uuid(),
        project.as_uuid(),
        serde_json::to_string(&reprice.filter).unwrap_or_else(|_| "{}".to_owned()),
        reprice.created_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// One of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    id: RepriceId,
) -> Result<Option<Reprice>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT
             id,
             project_id,
             filter::TEXT AS "filter!",
             state,
             done,
             total,
             changed,
             place,
             tries,
             created_at,
             updated_at
         FROM reprices
         WHERE project_id = $1 AND id = $2"#,
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Taken::from(row).reprice))
}

/// Takes up one that runs and that no server works on, and holds it for a while.
///
/// # Errors
/// When Postgres is away.
pub async fn take(
    db: &Postgres,
    now: Timestamp,
    held_until: Timestamp,
) -> Result<Option<Taken>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        r#"UPDATE reprices
         SET held_until = $2, tries = tries + 1
         WHERE id = (
             SELECT id FROM reprices
             WHERE state = 'running' AND held_until <= $1
             ORDER BY held_until
             LIMIT 1
             FOR UPDATE SKIP LOCKED
         )
         RETURNING
             id,
             project_id,
             filter::TEXT AS "filter!",
             state,
             done,
             total,
             changed,
             place,
             tries,
             created_at,
             updated_at"#,
        now.to_utc(),
        held_until.to_utc()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(Taken::from))
}

/// Notes how far one is, and holds it until then.
///
/// # Errors
/// When Postgres is away.
pub async fn go_on(db: &Postgres, taken: &Taken, held_until: Timestamp) -> Result<(), StoreError> {
    let reprice = &taken.reprice;
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    sqlx::query!(
        "UPDATE reprices
         SET
             state = $3,
             done = $4,
             total = $5,
             changed = $6,
             place = $7,
             tries = $8,
             held_until = $9,
             updated_at = $10
         WHERE project_id = $1 AND id = $2",
        taken.project_id.as_uuid(),
        reprice.id.as_uuid(),
        reprice.state.as_str(),
        number(reprice.done),
        reprice.total.map(number),
        number(reprice.changed),
        taken.place,
        taken.tries,
        held_until.to_utc(),
        reprice.updated_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

struct Row {
    id: uuid::Uuid,
    project_id: uuid::Uuid,
    filter: String,
    state: String,
    done: i64,
    total: Option<i64>,
    changed: i64,
    place: Option<String>,
    tries: i32,
    created_at: time::OffsetDateTime,
    updated_at: time::OffsetDateTime,
}

impl From<Row> for Taken {
    fn from(row: Row) -> Self {
        let number = |number: i64| u64::try_from(number).unwrap_or(0);
        // A filter of a newer version is none that could be followed: nothing is priced then.
        let nothing = Filter {
            to: Some(Timestamp::EPOCH),
            ..Filter::default()
        };
        Taken {
            project_id: row.project_id.into(),
            reprice: Reprice {
                id: row.id.into(),
                filter: serde_json::from_str(&row.filter).unwrap_or(nothing),
                state: RepriceState::from_name(&row.state).unwrap_or_default(),
                done: number(row.done),
                total: row.total.map(number),
                changed: number(row.changed),
                created_at: row.created_at.into(),
                updated_at: row.updated_at.into(),
            },
            place: row.place,
            tries: row.tries,
        }
    }
}
