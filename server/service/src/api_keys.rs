//! API keys of the scope's project or organisation.

use domain::tenancy::{ApiKey, KeyScopes, Permission, Role, Tenant};
use domain::{ApiKeyId, Code, Fault, Timestamp};
use serde_json::{Value, json};
use store_postgres::audit::{self, Entry};
use store_postgres::{Transaction, api_keys};
use uuid::Uuid;

use crate::app::App;
use crate::auth::secret;
use crate::names;
use crate::rollback::actor_name;
use crate::scope::{Actor, OrganisationScope, ProjectScope};

/// The roles that a key of a project may have.
pub const KEY_ROLES: [Role; 2] = [Role::Member, Role::Admin];
/// The roles that a key of an organisation may have.
pub const ORGANISATION_KEY_ROLES: [Role; 2] = [Role::Admin, Role::Owner];
/// Characters of a key of one's own.
const OWN_KEY_CHARS: std::ops::RangeInclusive<usize> = 16..=200;

/// What is wanted of a new key.
#[derive(Clone, Copy, Debug)]
pub struct KeyDraft<'a> {
    /// What it is for.
    pub note: &'a str,
    /// What may be done with it.
    pub role: Role,
    /// What it is limited to; `None`: to nothing.
    pub scopes: Option<KeyScopes>,
    /// From when on it is refused; `None`: never.
    pub expires_at: Option<Timestamp>,
}

impl<'a> KeyDraft<'a> {
    /// One without limits.
    pub fn new(note: &'a str, role: Role) -> Self {
        KeyDraft {
            note,
            role,
            scopes: None,
            expires_at: None,
        }
    }
}

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
    Ok(api_keys::list(app.postgres(), Tenant::Project(scope.project_id())).await?)
}

/// All keys of an organisation, newest first; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn list_of_organisation(
    app: &App,
    scope: &OrganisationScope,
) -> Result<Vec<ApiKey>, Fault> {
    scope.require(Permission::ManageProject)?;
    let tenant = Tenant::Organisation(scope.organisation_id());
    Ok(api_keys::list(app.postgres(), tenant).await?)
}

/// Makes a key; needs `ManageProject`. With the role `admin` it may do what an admin may, with
/// `member` it reads and changes telemetry and prompts, as far as it is not limited to less.
///
/// # Errors
/// `forbidden`; `invalid` on field `note` or `expires_at`, or for another `role`; or `unavailable` without
/// Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    draft: &KeyDraft<'_>,
) -> Result<NewApiKey, Fault> {
    scope.require(Permission::ManageProject)?;
    let tenant = Tenant::Project(scope.project_id());
    let new = NewApiKey::make(tenant, draft, app.clock().now())?;
    new.store(app, scope.actor()).await?;
    Ok(new)
}

/// Makes a key from a public part and a secret of the caller's own; needs `ManageProject`.
///
/// # Errors
/// `forbidden`; `invalid` on `publicKey`, `secretKey` or `note`; `conflict` when one of the two was ever
/// used; or `unavailable` without Postgres.
pub async fn create_own(
    app: &App,
    scope: &ProjectScope,
    draft: &KeyDraft<'_>,
    (public_key, secret_key): (&str, &str),
) -> Result<NewApiKey, Fault> {
    scope.require(Permission::ManageProject)?;
    check_own("publicKey", public_key, ["pk-lf-", "pk-tx-"])?;
    check_own("secretKey", secret_key, ["sk-lf-", "sk-tx-"])?;
    let tenant = Tenant::Project(scope.project_id());
    let mut new = NewApiKey::make(tenant, draft, app.clock().now())?;
    new.key.public_key = public_key.to_owned();
    new.key.secret_hint = secret::hint(secret_key);
    new.secret = secret_key.to_owned();
    new.store(app, scope.actor()).await?;
    Ok(new)
}

/// Makes a key of an organisation, which manages it; needs `ManageProject`, and `ManageOwners` for one
/// that is an owner.
///
/// # Errors
/// `forbidden`, `invalid` on field `note` or for another `role`, or `unavailable` without Postgres.
pub async fn create_for_organisation(
    app: &App,
    scope: &OrganisationScope,
    note: &str,
    role: Role,
) -> Result<NewApiKey, Fault> {
    scope.require(Permission::ManageProject)?;
    if role == Role::Owner {
        scope.require(Permission::ManageOwners)?;
    }
    let tenant = Tenant::Organisation(scope.organisation_id());
    let new = NewApiKey::make(tenant, &KeyDraft::new(note, role), app.clock().now())?;
    new.store(app, scope.actor()).await?;
    Ok(new)
}

/// What must hold of a key that somebody chose.
fn check_own(field: &str, key: &str, prefixes: [&str; 2]) -> Result<(), Fault> {
    let fits = prefixes.iter().any(|prefix| key.starts_with(prefix))
        && OWN_KEY_CHARS.contains(&key.len())
        // Such a key goes through a header, where a colon ends the public one.
        && key.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':');
    if fits {
        return Ok(());
    }
    let (least, most) = (OWN_KEY_CHARS.start(), OWN_KEY_CHARS.end());
    let message = format!(
        "must begin with {} and have {least} to {most} visible ASCII characters, none of them a colon",
        prefixes.join(" or ")
    );
    Err(Fault::invalid(message).on_field(field))
}

impl NewApiKey {
    /// Makes one up, which is not stored yet.
    ///
    /// # Errors
    /// `invalid` on field `note`, `role` or `expires_at`.
    pub(crate) fn make(
        tenant: Tenant,
        draft: &KeyDraft<'_>,
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let (roles, message) = match tenant {
            Tenant::Project(_) => (KEY_ROLES, "a key is an admin or a member"),
            Tenant::Organisation(_) => {
                (ORGANISATION_KEY_ROLES, "such a key is an owner or an admin")
            }
        };
        if !roles.contains(&draft.role) {
            return Err(Fault::invalid(message).on_field("role"));
        }
        if draft.scopes.is_some() && draft.role != Role::Member {
            let message = "a key that is limited to scopes is a member";
            return Err(Fault::invalid(message).on_field("role"));
        }
        if draft.expires_at.is_some_and(|at| at <= now) {
            let message = "a key expires later than now";
            return Err(Fault::invalid(message).on_field("expires_at"));
        }
        let secret = secret::new_secret_key();
        let key = ApiKey {
            id: ApiKeyId(Uuid::now_v7()),
            tenant,
            public_key: secret::new_public_key(),
            role: draft.role,
            scopes: draft.scopes,
            expires_at: draft.expires_at,
            secret_hint: secret::hint(&secret),
            note: names::note("note", draft.note)?,
            created_at: now,
            last_used_at: None,
        };
        Ok(NewApiKey { key, secret })
    }

    async fn store(&self, app: &App, by: Actor) -> Result<(), Fault> {
        let mut tx = app.postgres().begin().await?;
        if !api_keys::create(&mut tx, &self.key, &secret::hash(&self.secret)).await? {
            return Err(taken());
        }
        note_created(&mut tx, &self.key, by).await?;
        Ok(tx.commit().await?)
    }
}

/// Nobody is given a key that somebody has, or had.
pub(crate) fn taken() -> Fault {
    Fault::new(Code::Conflict, "that key is in use, or was: choose another")
}

/// Revokes a key at once, everywhere within 5 s; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn revoke(app: &App, scope: &ProjectScope, id: ApiKeyId) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let of = (Tenant::Project(scope.project_id()), scope.actor());
    revoke_of(app, of, id).await
}

/// The same for a key of an organisation; needs `ManageOwners`.
///
/// # Errors
/// As [`revoke`].
pub async fn revoke_of_organisation(
    app: &App,
    scope: &OrganisationScope,
    id: ApiKeyId,
) -> Result<(), Fault> {
    scope.require(Permission::ManageOwners)?;
    let of = (Tenant::Organisation(scope.organisation_id()), scope.actor());
    revoke_of(app, of, id).await
}

async fn revoke_of(app: &App, of: (Tenant, Actor), id: ApiKeyId) -> Result<(), Fault> {
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    if !api_keys::revoke(&mut tx, of.0, id, now).await? {
        return Err(Fault::not_found(format!("no key {id}")));
    }
    note(&mut tx, of, ("key.revoked", id, Value::Null), now).await?;
    tx.commit().await?;
    app.gate().forget_key(id);
    Ok(())
}

/// Writes down that there is a key from now on, in the transaction that stores it.
pub(crate) async fn note_created(
    tx: &mut Transaction,
    key: &ApiKey,
    by: Actor,
) -> Result<(), Fault> {
    let after = json!({
        "role": key.role,
        "public_key": key.public_key,
        "scopes": key.scopes,
        "expires_at": key.expires_at,
    });
    let of = (key.tenant, by);
    note(tx, of, ("key.created", key.id, after), key.created_at).await
}

async fn note(
    tx: &mut Transaction,
    (tenant, by): (Tenant, Actor),
    (action, id, after): (&'static str, ApiKeyId, Value),
    at: Timestamp,
) -> Result<(), Fault> {
    let entry = Entry {
        actor: actor_name(by),
        action: action.into(),
        object: format!("key:{id}"),
        before: Value::Null,
        after,
    };
    Ok(audit::append_to(tx, tenant, &entry, at).await?)
}
