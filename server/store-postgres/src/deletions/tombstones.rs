//! What is dropped when it arrives.

use domain::deletion::SubjectHash;
use domain::{ProjectId, Timestamp};

use crate::{Postgres, StoreError, Transaction};

/// What a tombstone is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A user.
    User,
    /// A trace that went as a whole.
    Trace,
}

impl Of {
    fn as_str(self) -> &'static str {
        match self {
            Of::User => "user",
            Of::Trace => "trace",
        }
    }
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// Of what.
    pub of: Of,
    /// Hash of the id.
    pub hash: SubjectHash,
    /// Of a user: whether a trace in which they come takes its other spans along.
    pub takes_trace: bool,
    /// Until when it stands.
    pub until: Timestamp,
}

/// Traces of one project that are remembered at most, those that stand longest.
const MOST: i64 = 50_000;

/// Those of a project that stand, in the order of their hashes.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    now: Timestamp,
) -> Result<Vec<Tombstone>, StoreError> {
    let rows = sqlx::query!(
        "SELECT kind, hash, takes_trace, until
         FROM tombstones
         WHERE project_id = $1 AND until > $2
         ORDER BY kind DESC, hash
         LIMIT $3",
        project.as_uuid(),
        now.to_utc(),
        MOST
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |_| StoreError::Row("a hash of another length".into());
            Ok(Tombstone {
                of: if row.kind == "user" {
                    Of::User
                } else {
                    Of::Trace
                },
                hash: SubjectHash(row.hash.try_into().map_err(wrong)?),
                takes_trace: row.takes_trace,
                until: row.until.into(),
            })
        })
        .collect()
}

/// Sets some that stand until then; one that is there stands until the later time. Those that are over go.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    tx: &mut Transaction,
    project: ProjectId,
    (of, hashes): (Of, &[SubjectHash]),
    (now, until): (Timestamp, Timestamp),
    takes_trace: bool,
) -> Result<(), StoreError> {
    let hashes: Vec<Vec<u8>> = hashes.iter().map(|hash| hash.0.to_vec()).collect();
    sqlx::query!(
        "INSERT INTO tombstones (project_id, kind, hash, until, takes_trace, dropped)
         SELECT $1, $2, new.hash, $4, $5, 0
         FROM UNNEST($3::BYTEA[]) AS new (hash)
         ON CONFLICT ON CONSTRAINT tombstones_pkey
         DO UPDATE SET until = greatest(tombstones.until, $4), takes_trace = $5",
        project.as_uuid(),
        of.as_str(),
        &hashes,
        until.to_utc(),
        takes_trace
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM tombstones WHERE project_id = $1 AND until <= $2",
        project.as_uuid(),
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Counts records that were dropped.
///
/// # Errors
/// When Postgres is away.
pub async fn count(
    db: &Postgres,
    project: ProjectId,
    dropped: &[(SubjectHash, u64)],
) -> Result<(), StoreError> {
    let hashes: Vec<Vec<u8>> = dropped.iter().map(|(hash, _)| hash.0.to_vec()).collect();
    let counts: Vec<i64> = dropped
        .iter()
        .map(|(_, count)| i64::try_from(*count).unwrap_or(i64::MAX))
        .collect();
    sqlx::query!(
        "UPDATE tombstones t
         SET dropped = t.dropped + new.count
         FROM UNNEST($2::BYTEA[], $3::BIGINT[]) AS new (hash, count)
         WHERE t.project_id = $1 AND t.hash = new.hash",
        project.as_uuid(),
        &hashes,
        &counts
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// How many records a user's tombstone has dropped; `None` where none stands.
///
/// # Errors
/// When Postgres is away.
pub async fn dropped(
    db: &Postgres,
    project: ProjectId,
    hash: SubjectHash,
) -> Result<Option<u64>, StoreError> {
    let dropped = sqlx::query_scalar!(
        "SELECT dropped FROM tombstones WHERE project_id = $1 AND kind = 'user' AND hash = $2",
        project.as_uuid(),
        hash.0.as_slice()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(dropped.map(i64::unsigned_abs))
}
