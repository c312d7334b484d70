//! API keys of the scope's project.

use domain::tenancy::{ApiKey, Permission};
use domain::{ApiKeyId, Fault};
use store_postgres::api_keys;
use uuid::Uuid;

use crate::app::App;
use crate::auth::secret;
use crate::names;
use crate::scope::ProjectScope;

/// A new key with its secret, which is shown this once.
pub struct NewApiKey {
    /// The key as it is listed from now on.
    pub key: ApiKey,
    /// The secret, `sk-tx-…`; only its hash is stored.
    pub secret: String,
}

/// All keys, newest first.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<ApiKey>, Fault> {
    Ok(api_keys::list(app.postgres(), scope.project_id()).await?)
}

/// Makes a key; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, `invalid` on field `note`, or `unavailable` without Postgres.
pub async fn create(app: &App, scope: &ProjectScope, note: &str) -> Result<NewApiKey, Fault> {
    scope.require(Permission::ManageProject)?;
    let secret = secret::new_secret_key();
    let key = ApiKey {
        id: ApiKeyId(Uuid::now_v7()),
        project_id: scope.project_id(),
        public_key: secret::new_public_key(),
        secret_hint: secret::hint(&secret),
        note: names::note("note", note)?,
        created_at: app.clock().now(),
        last_used_at: None,
    };
    let mut tx = app.postgres().begin().await?;
    api_keys::create(&mut tx, &key, &secret::hash(&secret)).await?;
    tx.commit().await?;
    Ok(NewApiKey { key, secret })
}

/// Revokes a key at once, everywhere within 5 s; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn revoke(app: &App, scope: &ProjectScope, id: ApiKeyId) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let now = app.clock().now();
    let revoked = api_keys::revoke(app.postgres(), scope.project_id(), id, now).await?;
    if !revoked {
        return Err(Fault::not_found(format!("no key {id}")));
    }
    app.gate().forget_key(id);
    Ok(())
}
