//! Who is asking: keys and passwords.
//!
//! **Invariants:** secrets and passwords are compared in constant time and never logged; Postgres
//! is not asked for a key that was checked a moment ago; an unknown e-mail takes as long as a wrong
//! password.

/// `Authorization` headers, taken apart.
mod header;
/// Keys that were checked lately.
mod key_cache;
/// How often somebody may try.
mod limit;
/// What a limited key must be made for.
mod needs;
/// Sign-in with a provider of OpenID Connect.
pub mod oidc;
/// Organisations and the operator.
mod organisation;
/// argon2id: making and checking hashes, and what a password must be.
pub(crate) mod password;
/// Another password in the place of one that is known, or forgotten.
mod passwords;
/// Random keys, hashes of secrets.
pub(crate) mod secret;
/// Who is signed in where.
mod sign_ins;

pub use header::the_only;
pub use needs::Needs;
pub use organisation::{
    authenticate_operator, authenticate_operator_in, authenticate_organisation_key,
    enter_organisation, enter_project_of, operate_organisation,
};
pub(crate) use organisation::{enter_to_export, enter_to_scrape};

use std::net::IpAddr;

use domain::tenancy::{Person, SignInMethod, Tenant};
use domain::{ApiKeyId, Code, Fault, PersonId, ProjectId};
use store_postgres::api_keys::Credential;
use store_postgres::{SessionStore, StoreError, api_keys, instance, projects};
use subtle::ConstantTimeEq;
use tokio::time::Instant;

use crate::app::App;
use crate::audit;
use crate::scope::{Actor, ProjectScope, ScoreWriter};

use header::Presented;
use key_cache::{Answer, Known};

pub use passwords::{change_password, reset_password};
pub use sign_ins::{
    Browser, Visit, begin_sign_in, end_of_member, end_others, end_sign_in, own_sign_ins, visit,
};

/// A person who has shown who they are.
pub struct Proven {
    /// Who.
    pub person: Person,
    /// How.
    pub method: SignInMethod,
}

/// Credentials as a program sends them: `Basic base64(public:secret)` or `Bearer secret`.
///
/// # Errors
/// `unauthenticated` for anything but a live key; `forbidden` for the public part of one alone, for a key
/// of an organisation, and for one that is limited to other things than what is needed;
/// `unavailable` for a key that is not known here while Postgres is away.
pub async fn authenticate_key(
    app: &App,
    authorization: Option<&str>,
    needs: Needs,
) -> Result<ProjectScope, Fault> {
    let known = known_key(app, authorization).await?;
    if known.is_public {
        let message = "a public key alone may only write scores";
        return Err(Fault::new(Code::Forbidden, message));
    }
    let project = known.project()?;
    needs.check(known.scopes)?;
    Ok(known.scope(project))
}

/// The same for whoever writes scores; the public part of a key will do, as `Bearer public`.
///
/// # Errors
/// `unauthenticated`, `unavailable` and `forbidden` as [`authenticate_key`].
pub async fn authenticate_score_writer(
    app: &App,
    authorization: Option<&str>,
    needs: Needs,
) -> Result<ScoreWriter, Fault> {
    let known = known_key(app, authorization).await?;
    let project = known.project()?;
    match known.is_public {
        true => Needs::SCORES.check(known.scopes)?,
        false => needs.check(known.scopes)?,
    }
    Ok(match known.is_public {
        true => ScoreWriter::public(project),
        false => known.scope(project).into(),
    })
}

async fn known_key(app: &App, authorization: Option<&str>) -> Result<Known, Fault> {
    let presented = header::parse(authorization).ok_or_else(no_key)?;
    let print = presented.fingerprint();
    let cache = &app.gate().keys;
    let known = match cache.look(&print, Instant::now()) {
        Answer::Fresh(known) => known,
        Answer::Ask(stale) => confirm(app, &presented, stale).await?,
    };
    // What was kept of it may be older than its end.
    if known.expires_at.is_some_and(|at| at <= app.clock().now()) {
        return Err(Fault::new(Code::Unauthenticated, "this key has expired"));
    }
    if cache.ask_ahead(&print, Instant::now()) {
        confirm_ahead(app, authorization);
    }
    if cache.use_to_be_noted(&print, Instant::now()) {
        note_use(app, known);
    }
    Ok(known)
}

impl Known {
    fn project(self) -> Result<ProjectId, Fault> {
        let message = "a key of an organisation opens no project: use one of the project";
        let project = self.tenant.project();
        project.ok_or_else(|| Fault::new(Code::Forbidden, message))
    }

    fn scope(self, project: ProjectId) -> ProjectScope {
        ProjectScope::new(project, Actor::Key(self.id), self.role).limited_to(self.scopes)
    }
}

/// Checks e-mail and password; slow on purpose, limited per network of the client, and slower for an
/// account for which many fail.
///
/// # Errors
/// `unauthenticated` when they do not fit, `too_many` after many wrong ones, `forbidden` where passwords open nothing.
pub async fn sign_in(
    app: &App,
    email: &str,
    password: &str,
    from: IpAddr,
) -> Result<Proven, Fault> {
    if oidc::is_only_way(app) {
        let message = "passwords open nothing here: sign in with the provider";
        return Err(Fault::new(Code::Forbidden, message));
    }
    let email = email.trim().to_lowercase();
    let tries = app.gate().sign_in.take(from, &email, Instant::now())?;
    tokio::time::sleep(tries.delay()).await;
    let account = if email.contains('\0') {
        None
    } else {
        instance::account(app.postgres(), &email).await?
    };
    let hash = account
        .as_ref()
        .and_then(|account| account.password_hash.clone());
    if !password::verify(app, password.to_owned(), hash).await? {
        if let Some(account) = account {
            audit::failed_to_sign_in(app, account.person.id, from);
        }
        return Err(wrong_password());
    }
    let account = account.ok_or_else(wrong_password)?;
    app.gate().sign_in.give_back(&tries);
    let method = SignInMethod::Password;
    audit::signed_in(app, account.person.id, (from, method)).await;
    Ok(Proven {
        person: account.person,
        method,
    })
}

/// Enters a project as a signed-in person; `not_found` when they are not a member.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn enter_project(
    app: &App,
    person: PersonId,
    project: ProjectId,
) -> Result<ProjectScope, Fault> {
    let role = projects::role_of(app.postgres(), project, person).await?;
    let role = role.ok_or_else(|| Fault::not_found(format!("no project {project}")))?;
    Ok(ProjectScope::new(project, Actor::Person(person), role))
}

/// Where sign-in sessions are kept, for the session layer of the pages.
pub fn session_store(app: &App) -> SessionStore {
    app.postgres().sessions()
}

/// Deletes sign-in sessions that are over, once an hour until the server stops. Several replicas may
/// do it at once.
pub async fn sweep_sessions(app: App) {
    const EVERY: std::time::Duration = std::time::Duration::from_secs(3600);
    let mut closing = app.closing();
    loop {
        if let Err(error) = app.postgres().forget_expired_sessions().await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "old sign-in sessions stay for another hour");
        }
        let over = closing.wait_for(|closing| *closing);
        if tokio::time::timeout(EVERY, over).await.is_ok() {
            return;
        }
    }
}

/// Caches and limits of sign-in and keys.
#[derive(Default)]
pub(crate) struct Gate {
    keys: key_cache::KeyCache,
    sign_in: limit::SignInLimit,
    hashing: password::Hashing,
    provider: oidc::Cache,
}

impl Gate {
    /// Forgets a key that was revoked here; other replicas ask again within seconds.
    pub(crate) fn forget_key(&self, id: ApiKeyId) {
        self.keys.forget(id);
    }

    /// Forgets all keys of a project or an organisation that is gone.
    pub(crate) fn forget_keys_of(&self, tenant: Tenant) {
        self.keys.forget_all_of(tenant);
    }

    pub(crate) fn hashing(&self) -> &password::Hashing {
        &self.hashing
    }
}

/// Asks Postgres about a key. Requests take turns, so that a crowd with the same key asks once.
async fn confirm(
    app: &App,
    presented: &Presented<'_>,
    stale: Option<Known>,
) -> Result<Known, Fault> {
    let cache = &app.gate().keys;
    let print = presented.fingerprint();
    let asked = tokio::time::timeout(key_cache::PATIENCE, async {
        let _turn = cache.turn(stale).await;
        if let Answer::Fresh(known) = cache.look(&print, Instant::now()) {
            return Ok(Some(known));
        }
        let found = find(app, presented).await?;
        cache.remember(&print, found, Instant::now());
        Ok::<_, StoreError>(found)
    });
    match (asked.await, stale) {
        (Ok(Ok(found)), _) => found.ok_or_else(no_key),
        (Ok(Err(StoreError::Text(_))), _) => Err(no_key()),
        (Ok(Err(StoreError::Unavailable(_))) | Err(_), Some(stale)) => {
            cache.postpone(&print, Instant::now());
            Ok(stale)
        }
        (Ok(Err(error)), _) => Err(error.into()),
        (Err(_), None) => Err(Fault::unavailable("keys cannot be checked right now")),
    }
}

/// In the background: what is known counts until the answer is there. One that does not come is asked for again by
/// a request that waits for it.
fn confirm_ahead(app: &App, authorization: Option<&str>) {
    let (app, header) = (app.clone(), authorization.map(str::to_owned));
    tokio::spawn(async move {
        let Some(presented) = header::parse(header.as_deref()) else {
            return;
        };
        let asked = Instant::now();
        let found = tokio::time::timeout(key_cache::PATIENCE, find(&app, &presented)).await;
        if let Ok(Ok(found)) = found {
            app.gate()
                .keys
                .renew(&presented.fingerprint(), found, asked);
        }
    });
}

async fn find(app: &App, presented: &Presented<'_>) -> Result<Option<Known>, StoreError> {
    let hash = secret::hash(presented.secret());
    let credential = match presented {
        Presented::Pair { public_key, .. } if public_key.contains('\0') => None,
        Presented::Pair { public_key, .. } => {
            api_keys::by_public_key(app.postgres(), public_key).await?
        }
        Presented::Secret(_) => api_keys::by_secret_hash(app.postgres(), &hash).await?,
    };
    let known = |credential: Credential, is_public| Known {
        id: credential.id,
        tenant: credential.tenant,
        role: credential.role,
        scopes: credential.scopes,
        expires_at: credential.expires_at,
        is_public,
    };
    if let Some(whole) = credential.filter(|key| key.secret_hash.ct_eq(&hash).into()) {
        return Ok(Some(known(whole, false)));
    }
    let public = match presented {
        Presented::Secret(shown) if !shown.contains('\0') => {
            api_keys::by_public_key(app.postgres(), shown).await?
        }
        Presented::Secret(_) | Presented::Pair { .. } => None,
    };
    Ok(public.map(|key| known(key, true)))
}

/// In the background: nobody waits for it, and one that fails is made up for a minute later.
fn note_use(app: &App, known: Known) {
    let app = app.clone();
    tokio::spawn(async move {
        let now = app.clock().now();
        let noted = api_keys::note_use(app.postgres(), known.tenant, known.id, now).await;
        if let Err(error) = noted {
            tracing::debug!(
                error = &error as &dyn std::error::Error,
                "use of a key not noted"
            );
        }
    });
}

fn no_key() -> Fault {
    Fault::new(
        Code::Unauthenticated,
        "give a valid key: Authorization: Basic base64(public_key:secret_key), or Bearer secret_key",
    )
}

fn wrong_password() -> Fault {
    Fault::new(Code::Unauthenticated, "e-mail or password is wrong")
}
