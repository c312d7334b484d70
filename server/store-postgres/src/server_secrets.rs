//! Secrets that all servers share. They belong to no project.

use domain::Timestamp;

use crate::{Postgres, StoreError};

/// The secret of a name: the one that is there, else the one that is offered.
///
/// # Errors
/// When Postgres is away.
pub async fn ensure(
    db: &Postgres,
    name: &str,
    offered: &[u8; 32],
    at: Timestamp,
) -> Result<[u8; 32], StoreError> {
    // What another server made meanwhile stays, and is what comes back.
    let secret = sqlx::query_scalar!(
        "INSERT INTO server_secrets (name, secret, created_at) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT server_secrets_pkey DO UPDATE SET name = excluded.name
         RETURNING secret",
        name,
        offered.as_slice(),
        at.to_utc()
    )
    .fetch_one(db.pool())
    .await?;
    let wrong = |_| StoreError::Row("a secret of another length".into());
    secret.try_into().map_err(wrong)
}
