//! The first key of a project: given by a setting, or made up.

use domain::tenancy::{ApiKey, Role, Tenant};
use domain::{ApiKeyId, Code, Fault, ProjectId, Timestamp};
use store_postgres::{Transaction, api_keys, used_keys};
use uuid::Uuid;

use crate::api_keys::taken;
use crate::auth::secret;
use crate::bootstrap::Init;

/// Makes sure that a project has the key that was given, or one at all: the public key to show, where it
/// works, and the secret when it was made up now.
///
/// # Errors
/// `conflict` when somebody else has the key that was given; `unavailable` without Postgres.
pub(crate) async fn ensure_key(
    tx: &mut Transaction,
    project: ProjectId,
    init: &Init,
    now: Timestamp,
) -> Result<(Option<String>, Option<String>), Fault> {
    let nothing_given = init.public_key.is_none() && init.secret_key.is_none();
    let oldest = api_keys::oldest(tx, project).await?;
    if let Some((public_key, is_live)) = oldest.filter(|_| nothing_given) {
        return Ok((is_live.then_some(public_key), None));
    }
    let given = |text: &Option<String>| text.clone().filter(|text| text.len() <= 1000);
    let public_key = given(&init.public_key).unwrap_or_else(secret::new_public_key);
    let made_up = match given(&init.secret_key) {
        Some(_) => None,
        None => Some(secret::new_secret_key()),
    };
    let secret_key = given(&init.secret_key).or_else(|| made_up.clone());
    let secret_key = secret_key.unwrap_or_default();
    let hash = secret::hash(&secret_key);
    if let Some(taken) = api_keys::taken(tx, &public_key, &hash).await? {
        if taken.tenant != Tenant::Project(project) {
            let message = "TRIAXIS_INIT_PUBLIC_KEY or _SECRET_KEY is in use by another project or organisation";
            return Err(Fault::new(Code::Conflict, message));
        }
        if taken.is_revoked {
            warn_of_revoked_key();
            return Ok((None, None));
        }
        if init.secret_key.is_some() && taken.secret_hash != hash {
            tracing::warn!("TRIAXIS_INIT_SECRET_KEY differs from the stored one, which stays");
        }
        return Ok((Some(public_key), None));
    }
    match used_keys::was_revoked(tx, &public_key, &hash).await? {
        Some(true) => {
            warn_of_revoked_key();
            return Ok((None, None));
        }
        // The project that it opened was deleted, and is made again.
        Some(false) => used_keys::forget(tx, &public_key, &hash).await?,
        None => {}
    }
    let key = first_key(project, &public_key, &secret_key, now);
    store_key(tx, &key, &secret_key).await?;
    Ok((Some(public_key), made_up))
}

fn warn_of_revoked_key() {
    tracing::warn!(
        "TRIAXIS_INIT_PUBLIC_KEY and _SECRET_KEY are ignored: they were revoked; to make a new key: \
         Settings, API keys, or triaxis admin create-key"
    );
}

/// Stores a key.
///
/// # Errors
/// `conflict` when somebody has it, or had; `unavailable` without Postgres.
pub(crate) async fn store_key(
    tx: &mut Transaction,
    key: &ApiKey,
    secret_key: &str,
) -> Result<(), Fault> {
    if api_keys::create(tx, key, &secret::hash(secret_key)).await? {
        Ok(())
    } else {
        Err(taken())
    }
}

/// A member's key of a project, which is not stored yet.
pub(crate) fn first_key(
    project_id: ProjectId,
    public_key: &str,
    secret_key: &str,
    now: Timestamp,
) -> ApiKey {
    ApiKey {
        id: ApiKeyId(Uuid::now_v7()),
        tenant: Tenant::Project(project_id),
        public_key: public_key.to_owned(),
        role: Role::Member,
        scopes: None,
        expires_at: None,
        secret_hint: secret::hint(secret_key),
        note: "first key".to_owned(),
        created_at: now,
        last_used_at: None,
    }
}
