//! The first organisation, project, key and person.
//!
//! Everything happens in one transaction under a lock, so that replicas that start together make
//! things once. What exists is never changed: a later start with other settings adds what is
//! missing, and a key that was revoked or a password that was changed stays so.

use domain::tenancy::{Person, Role, Tenant};
use domain::{Code, Fault, OrganisationId, PersonId, ProjectId, Timestamp};
use store_postgres::instance::{Account, NewTenant};
use store_postgres::{Postgres, Transaction, instance, members, removed_projects};
use uuid::Uuid;

use crate::api_keys::{KeyDraft, NewApiKey, note_created};
use crate::app::App;
use crate::auth::{password, secret};
use crate::clock::Clock;
use crate::first_key::{ensure_key, first_key, store_key};
use crate::members::name_from;
use crate::projects::{self, name_taken};
use crate::scope::Actor;
use crate::{external_ids, names};

const DEFAULT_ORGANISATION: &str = "My organisation";
const DEFAULT_PROJECT: &str = "My project";
const DEFAULT_EMAIL: &str = "admin@triaxis.local";

/// What the operator asked to exist at the first start (`TRIAXIS_INIT_*`); what is unset is made up.
#[derive(Clone, Default)]
pub struct Init {
    /// Name of the organisation.
    pub org: Option<String>,
    /// Id of the organisation: a UUID, or any text, from which one is derived.
    pub org_id: Option<String>,
    /// Name of the project.
    pub project: Option<String>,
    /// Id of the project: a UUID, or any text, from which one is derived.
    pub project_id: Option<String>,
    /// How many days the telemetry of the project is wanted for: 0 for ever.
    pub retention_days: u32,
    /// Public key.
    pub public_key: Option<String>,
    /// Secret key.
    pub secret_key: Option<String>,
    /// E-mail of the first owner.
    pub email: Option<String>,
    /// Name of the first owner, to show.
    pub person: Option<String>,
    /// Password of the first owner.
    pub password: Option<String>,
}

impl Init {
    /// Checks what can be checked without the stores.
    ///
    /// # Errors
    /// `invalid`, naming the variable.
    pub fn check(&self) -> Result<(), Fault> {
        if let Some(text) = &self.email {
            names::email(text).map_err(|fault| {
                Fault::invalid(format!("TRIAXIS_INIT_EMAIL: {}", fault.message))
            })?;
        }
        if matches!(self.retention_days, 1 | 2) {
            let message = "TRIAXIS_INIT_PROJECT_RETENTION: give 0 (for ever), or 3 days at least";
            return Err(Fault::invalid(message));
        }
        Ok(())
    }
}

/// What exists after the start. Secrets that were made up are here once, to be printed.
#[derive(Clone)]
pub struct Bootstrapped {
    /// The project.
    pub project_id: ProjectId,
    /// Public key of the project; `None` when it was revoked.
    pub public_key: Option<String>,
    /// Secret key, when this start made it up.
    pub secret_key: Option<String>,
    /// E-mail of the first owner.
    pub email: String,
    /// Password, when this start made it up.
    pub password: Option<String>,
}

/// A project with its first key.
#[derive(Clone)]
pub struct NewProject {
    /// The organisation that owns it.
    pub organisation_id: OrganisationId,
    /// The project.
    pub project_id: ProjectId,
    /// Public key.
    pub public_key: String,
    /// Secret key, shown this once.
    pub secret_key: String,
}

/// Makes sure that there is an organisation, a project, a key and an owner.
///
/// # Errors
/// `invalid` or `conflict` when a value given cannot be used; `unavailable` without Postgres.
pub async fn ensure(app: &App, init: Init) -> Result<Bootstrapped, Fault> {
    let init = without_blanks(init);
    let now = app.clock().now();
    // Hashing is slow, so it is done before the lock is taken; so is what is left of a removed project.
    let owner = first_owner(app, &init).await?;
    if let Some(id) = init.project_id.as_deref().map(external_ids::project_id) {
        projects::finish_removal(app, id).await?;
    }
    let mut tx = app.postgres().begin().await?;
    instance::lock_bootstrap(&mut tx).await?;
    let (organisation, organisation_is_new) = ensure_organisation(&mut tx, &init, now).await?;
    let project_id = ensure_project(&mut tx, organisation, &init, now).await?;
    let (public_key, secret_key) = ensure_key(&mut tx, project_id, &init, now).await?;
    let known = instance::first_owner(&mut tx, organisation).await?;
    let (person, password) = match known {
        Some(person) if init.email.is_none() => (person, None),
        _ => {
            let (person, person_is_new) =
                instance::ensure_person(&mut tx, &owner.account, now).await?;
            if person_is_new || organisation_is_new {
                members::add(&mut tx, organisation, person.id, (Role::Owner, now)).await?;
            }
            (person, owner.made_up.filter(|_| person_is_new))
        }
    };
    tx.commit().await?;
    if let Some(given) = init.password {
        warn_of_other_password(app, &person, given).await?;
    }
    Ok(Bootstrapped {
        project_id,
        public_key,
        secret_key,
        email: person.email,
        password,
    })
}

/// What exists is never changed, so a password that was given for somebody who has another by now
/// does nothing; whoever set it is told.
async fn warn_of_other_password(app: &App, person: &Person, given: String) -> Result<(), Fault> {
    let account = instance::account_of(app.postgres(), person.id).await?;
    let hash = account.and_then(|account| account.password_hash);
    if !password::verify(app, given, hash).await? {
        let email = &person.email;
        tracing::warn!(
            "TRIAXIS_INIT_PASSWORD is ignored: {email} has another password by now; to give a new \
             one: triaxis admin reset-password {email}"
        );
    }
    Ok(())
}

/// Makes a project with a pair of keys, and its organisation where there is none of that name; the
/// person of that e-mail becomes owner of a new organisation.
///
/// # Errors
/// `invalid` on `name`, `organisation` or `owner`; `conflict` on `name`; `unavailable` without Postgres.
pub async fn create_project(
    postgres: &Postgres,
    organisation: &str,
    name: &str,
    owner: Option<&str>,
) -> Result<NewProject, Fault> {
    let now = Clock.now();
    let owner = match owner {
        Some(email) => {
            let account = instance::account(postgres, &names::email(email)?).await?;
            let unknown = || Fault::invalid("nobody has that e-mail").on_field("owner");
            Some(account.ok_or_else(unknown)?.person)
        }
        None => None,
    };
    let init = Init {
        org: Some(names::name("organisation", organisation)?),
        ..Init::default()
    };
    let name = names::name("name", name)?;
    let mut tx = postgres.begin().await?;
    instance::lock_bootstrap(&mut tx).await?;
    let (organisation, is_new) = ensure_organisation(&mut tx, &init, now).await?;
    if let Some(owner) = owner.filter(|_| is_new) {
        members::add(&mut tx, organisation, owner.id, (Role::Owner, now)).await?;
    }
    let project_id = ProjectId(Uuid::now_v7());
    let new = NewTenant {
        name: &name,
        external_id: None,
        retention_days: 0,
        created_at: now,
    };
    instance::ensure_project(&mut tx, organisation, project_id, &new)
        .await
        .map_err(name_taken)?;
    let (public_key, secret_key) = (secret::new_public_key(), secret::new_secret_key());
    let key = first_key(project_id, &public_key, &secret_key, now);
    store_key(&mut tx, &key, &secret_key).await?;
    tx.commit().await?;
    Ok(NewProject {
        organisation_id: organisation,
        project_id,
        public_key,
        secret_key,
    })
}

/// An owner that may have to be made.
struct Owner {
    account: Account,
    made_up: Option<String>,
}

async fn first_owner(app: &App, init: &Init) -> Result<Owner, Fault> {
    let email = match &init.email {
        Some(email) => names::email(email)?,
        None => DEFAULT_EMAIL.to_owned(),
    };
    let made_up = init.password.is_none().then(secret::new_password);
    let chosen = made_up.clone().or_else(|| init.password.clone());
    let chosen = chosen.unwrap_or_default();
    if password::check_choice(&chosen, &email).is_err() {
        tracing::warn!("TRIAXIS_INIT_PASSWORD is easy to guess; change it");
    }
    let password_hash = password::hash(app.gate().hashing(), chosen).await?;
    let person = Person {
        id: PersonId(Uuid::now_v7()),
        name: match &init.person {
            Some(name) => names::name("TRIAXIS_INIT_NAME", name)?,
            None => name_from(&email),
        },
        email,
    };
    Ok(Owner {
        account: Account {
            person,
            password_hash: Some(password_hash),
        },
        made_up,
    })
}

async fn ensure_organisation(
    tx: &mut Transaction,
    init: &Init,
    now: Timestamp,
) -> Result<(OrganisationId, bool), Fault> {
    let given = init.org_id.as_deref();
    if given.is_none()
        && let Some(found) = instance::oldest_organisation(tx, init.org.as_deref()).await?
    {
        return Ok((found, false));
    }
    let id = given.map_or_else(
        || OrganisationId(Uuid::now_v7()),
        external_ids::organisation_id,
    );
    let name = names::name(
        "TRIAXIS_INIT_ORG",
        init.org.as_deref().unwrap_or(DEFAULT_ORGANISATION),
    )?;
    let new = NewTenant {
        name: &name,
        external_id: external_ids::to_keep(given),
        retention_days: 0,
        created_at: now,
    };
    let is_new = instance::ensure_organisation(tx, id, &new).await?;
    Ok((id, is_new))
}

async fn ensure_project(
    tx: &mut Transaction,
    organisation: OrganisationId,
    init: &Init,
    now: Timestamp,
) -> Result<ProjectId, Fault> {
    let (given, wanted) = (init.project_id.as_deref(), init.project.as_deref());
    if given.is_none()
        && let Some(found) = instance::oldest_project(tx, organisation, wanted).await?
    {
        return Ok(found);
    }
    let id = given.map_or_else(|| ProjectId(Uuid::now_v7()), external_ids::project_id);
    let name = names::name("TRIAXIS_INIT_PROJECT", wanted.unwrap_or(DEFAULT_PROJECT))?;
    let new = NewTenant {
        name: &name,
        external_id: external_ids::to_keep(given),
        retention_days: init.retention_days,
        created_at: now,
    };
    instance::ensure_project(tx, organisation, id, &new)
        .await
        .map_err(name_taken)?;
    removed_projects::forget(tx, id).await?;
    let owner = instance::organisation_of(tx, id).await?;
    if owner != Some(organisation) {
        let message = "TRIAXIS_INIT_PROJECT_ID belongs to another organisation";
        return Err(Fault::new(Code::Conflict, message));
    }
    Ok(id)
}

/// Another key of a project or an organisation, for an operator at the machine of the server.
///
/// # Errors
/// `not_found` when there is no such project or organisation, `invalid` for a role that no key has or a note that
/// cannot be kept, `unavailable` without Postgres.
pub async fn create_key(
    postgres: &Postgres,
    tenant: Tenant,
    role: Role,
    note: &str,
) -> Result<NewApiKey, Fault> {
    match tenant {
        Tenant::Project(id) => {
            let found = store_postgres::projects::show(postgres, id).await?;
            found.ok_or_else(|| Fault::not_found(format!("no project {id}")))?;
        }
        Tenant::Organisation(id) => {
            let found = store_postgres::organisations::show(postgres, id).await?;
            found.ok_or_else(|| Fault::not_found(format!("no organisation {id}")))?;
        }
    }
    let new = NewApiKey::make(tenant, &KeyDraft::new(note, role), Clock.now())?;
    let mut tx = postgres.begin().await?;
    store_key(&mut tx, &new.key, &new.secret).await?;
    note_created(&mut tx, &new.key, Actor::Operator).await?;
    tx.commit().await?;
    Ok(new)
}

/// An empty variable is an unset one.
fn without_blanks(init: Init) -> Init {
    let clean = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    Init {
        org: clean(init.org),
        org_id: clean(init.org_id),
        project: clean(init.project),
        project_id: clean(init.project_id),
        retention_days: init.retention_days,
        public_key: clean(init.public_key),
        secret_key: clean(init.secret_key),
        email: clean(init.email),
        person: clean(init.person),
        password: clean(init.password),
    }
}
