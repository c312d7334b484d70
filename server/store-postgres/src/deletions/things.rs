//! What was found of a user: it is looked for again at the end, when nothing else tells any more what was theirs.

use domain::{DeletionId, ProjectId};

use crate::{Postgres, StoreError, Transaction};

/// Ids of what was found, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Things {
    /// Traces that go as a whole.
    pub traces: Vec<String>,
    /// Traces of which the user's spans go.
    pub shared: Vec<String>,
    /// Sessions of this user alone.
    pub sessions: Vec<String>,
    /// Items of datasets.
    pub items: Vec<String>,
}

impl Things {
    fn by_kind(&self) -> [(&'static str, &Vec<String>); 4] {
        [
            ("trace", &self.traces),
            ("shared", &self.shared),
            ("session", &self.sessions),
            ("item", &self.items),
        ]
    }
}

/// Adds what was found; what is known already stays.
///
/// # Errors
/// When Postgres is away; then nothing of it happened.
pub async fn add(
    db: &Postgres,
    project: ProjectId,
    deletion: DeletionId,
    things: &Things,
) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    for (kind, ids) in things.by_kind() {
        sqlx::query!(
            "INSERT INTO deletion_things (deletion_id, kind, id)
             SELECT d.id, $3, found.id
             FROM deletions d, UNNEST($4::TEXT[]) AS found (id)
             WHERE d.project_id = $1 AND d.id = $2
             ON CONFLICT ON CONSTRAINT deletion_things_pkey DO NOTHING",
            project.as_uuid(),
            deletion.as_uuid(),
            kind,
            ids
        )
        .execute(tx.connection())
        .await?;
    }
    tx.commit().await
}

/// All that was found.
///
/// # Errors
/// When Postgres is away.
pub async fn read(
    db: &Postgres,
    project: ProjectId,
    deletion: DeletionId,
) -> Result<Things, StoreError> {
    let rows = sqlx::query!(
        "SELECT t.kind, t.id
         FROM deletion_things t JOIN deletions d ON d.id = t.deletion_id
         WHERE d.project_id = $1 AND d.id = $2",
        project.as_uuid(),
        deletion.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let mut things = Things::default();
    for row in rows {
        let of_kind = match row.kind.as_str() {
            "trace" => &mut things.traces,
            "shared" => &mut things.shared,
            "session" => &mut things.sessions,
            _ => &mut things.items,
        };
        of_kind.push(row.id);
    }
    Ok(things)
}

/// Forgets what was found: nothing of it is left.
///
/// # Errors
/// When Postgres is away.
pub async fn forget(
    tx: &mut Transaction,
    project: ProjectId,
    deletion: DeletionId,
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM deletion_things t USING deletions d
         WHERE d.id = t.deletion_id AND d.project_id = $1 AND d.id = $2",
        project.as_uuid(),
        deletion.as_uuid()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
