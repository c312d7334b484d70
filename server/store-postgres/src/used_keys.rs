//! Keys that went with their project or organisation; only their hashes are kept.

use crate::api_keys::SecretHash;
use crate::{StoreError, Transaction};

/// Whether a pair, or one of the two, was used before by somebody who is gone, and whether it was revoked;
/// `None` when it was not.
///
/// # Errors
/// When Postgres is away.
pub async fn was_revoked(
    tx: &mut Transaction,
    public_key: &str,
    secret_hash: &SecretHash,
) -> Result<Option<bool>, StoreError> {
    let revoked = sqlx::query_scalar!(
        "SELECT bool_or(revoked) FROM used_keys
         WHERE public_key_hash = sha256(convert_to($1, 'UTF8')) OR secret_hash = $2",
        public_key,
        secret_hash.as_slice()
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(revoked)
}

/// Forgets a pair, for it is made anew.
///
/// # Errors
/// When Postgres is away.
pub async fn forget(
    tx: &mut Transaction,
    public_key: &str,
    secret_hash: &SecretHash,
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM used_keys
         WHERE public_key_hash = sha256(convert_to($1, 'UTF8')) OR secret_hash = $2",
        public_key,
        secret_hash.as_slice()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
