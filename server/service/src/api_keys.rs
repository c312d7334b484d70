//! API keys of the scope's project.

use domain::tenancy::{ApiKey, Permission, Role};
use domain::{ApiKeyId, Fault, ProjectId, Timestamp};
use store_postgres::api_keys;
use uuid::Uuid;

use crate::app::App;
use crate::auth::secret;
use crate::names;
use crate::scope::ProjectScope;

/// The roles that a key may have.
pub const KEY_ROLES: [Role; 2] = [Role::Member, Role::Admin];

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

/// Makes a key; needs `ManageProject`. With the role `admin` it may do what an admin may, with
/// `member` it reads and changes telemetry and prompts.
///
/// # Errors
/// `forbidden`, `invalid` on field `note` or for another `role`, or `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    note: &str,
    role: Role,
) -> Result<NewApiKey, Fault> {
    scope.require(Permission::ManageProject)?;
    let new = NewApiKey::make(scope.project_id(), role, note, app.clock().now())?;
    let mut tx = app.postgres().begin().await?;
    api_keys::create(&mut tx, &new.key, &secret::hash(&new.secret)).await?;
    tx.commit().await?;
    Ok(new)
}

impl NewApiKey {
    /// Makes one up, which is not stored yet.
    ///
    /// # Errors
    /// `invalid` on field `note` or `role`.
    pub(crate) fn make(
        project_id: ProjectId,
        role: Role,
        note: &str,
        now: Timestamp,
    ) -> Result<Self, Fault> {
        if !KEY_ROLES.contains(&role) {
            return Err(Fault::invalid("a key is an admin or a member").on_field("role"));
        }
        let secret = secret::new_secret_key();
        let key = ApiKey {
            id: ApiKeyId(Uuid::now_v7()),
            project_id,
            public_key: secret::new_public_key(),
            role,
            secret_hint: secret::hint(&secret),
            note: names::note("note", note)?,
            created_at: now,
            last_used_at: None,
        };
        Ok(NewApiKey { key, secret })
    }
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
