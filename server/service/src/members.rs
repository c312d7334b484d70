//! Members of the scope's organisation, and of one of its projects.

use domain::tenancy::{Member, Permission, Person, Role, Tenant};
use domain::{Code, Fault, PersonId};
use serde_json::json;
use store_postgres::audit::{self, Entry};
use store_postgres::{Transaction, instance, members, organisations, project_members};
use uuid::Uuid;

use crate::app::App;
use crate::audit::record;
use crate::auth::password;
use crate::names;
use crate::rollback::actor_name;
use crate::scope::{Actor, OrganisationScope, ProjectScope};

/// All members, by role and e-mail.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn list(app: &App, scope: &OrganisationScope) -> Result<Vec<Member>, Fault> {
    scope.require(Permission::ReadMembers)?;
    Ok(members::list(app.postgres(), scope.organisation_id()).await?)
}

/// Adds a person; where the e-mail is new, an account with the given first password is made.
/// Faults name the field `email`, `role` or `password`.
///
/// # Errors
/// `forbidden`, `invalid`, or `unavailable` without Postgres.
pub async fn add(
    app: &App,
    scope: &OrganisationScope,
    email: &str,
    role: Role,
    password: &str,
) -> Result<Member, Fault> {
    scope.require(Permission::ManageProject)?;
    require_for_role(scope, role)?;
    let email = names::email(email)?;
    let known = instance::account(app.postgres(), &email).await?;
    let account = match known {
        Some(account) => account,
        // Nobody's first password is set for them afterwards: who adds them here may be a stranger there.
        None => new_account(app, email, password).await?,
    };
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let (person, _) = instance::ensure_person(&mut tx, &account, now).await?;
    members::add(&mut tx, scope.organisation_id(), person.id, (role, now))
        .await
        .map_err(|error| {
            error.on_constraint("members_pkey", || {
                Fault::invalid("that person is a member already").on_field("email")
            })
        })?;
    let roles = (None, Some(role));
    note(&mut tx, app, scope, (person.id, roles)).await?;
    tx.commit().await?;
    Ok(Member {
        person,
        role,
        since: now,
    })
}

/// Gives a person who has an account a role, whether or not they are a member yet; the last owner stays
/// owner (`conflict`).
///
/// # Errors
/// `forbidden`, `not_found` when there is no such person, `conflict`, or `unavailable` without Postgres.
pub async fn set(
    app: &App,
    scope: &OrganisationScope,
    person: PersonId,
    role: Role,
) -> Result<Member, Fault> {
    scope.require(Permission::ManageProject)?;
    require_for_role(scope, role)?;
    let account = instance::account_of(app.postgres(), person).await?;
    let account = account.ok_or_else(|| Fault::not_found(format!("no person {person}")))?;
    let since = match change_role(app, scope, person, role).await {
        Ok(()) => app.clock().now(),
        Err(fault) if fault.code == Code::NotFound => {
            let now = app.clock().now();
            let mut tx = app.postgres().begin().await?;
            members::add(&mut tx, scope.organisation_id(), person, (role, now))
                .await
                .map_err(|error| {
                    // Somebody else was quicker.
                    error.on_constraint("members_pkey", || {
                        Fault::new(Code::Conflict, "that person became a member just now")
                    })
                })?;
            note(&mut tx, app, scope, (person, (None, Some(role)))).await?;
            tx.commit().await?;
            now
        }
        Err(fault) => return Err(fault),
    };
    Ok(Member {
        person: account.person,
        role,
        since,
    })
}

/// Adds the person of an e-mail address; where it is new, an account is made that nobody can sign in
/// to until the operator sets a password.
///
/// # Errors
/// `forbidden`; `invalid` on `email` or `name`; `conflict` when they are a member; or `unavailable`
/// without Postgres.
pub async fn provision(
    app: &App,
    scope: &OrganisationScope,
    (email, name): (&str, Option<&str>),
    role: Role,
) -> Result<Member, Fault> {
    scope.require(Permission::ManageProject)?;
    require_for_role(scope, role)?;
    let account = closed_account(email, name)?;
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let (person, _) = instance::ensure_person(&mut tx, &account, now).await?;
    members::add(&mut tx, scope.organisation_id(), person.id, (role, now))
        .await
        .map_err(|error| {
            error.on_constraint("members_pkey", || {
                Fault::new(Code::Conflict, "that person is a member already")
            })
        })?;
    let roles = (None, Some(role));
    note(&mut tx, app, scope, (person.id, roles)).await?;
    tx.commit().await?;
    Ok(Member {
        person,
        role,
        since: now,
    })
}

/// The same for somebody who is to have no access yet: the account is made, and they are no member.
///
/// # Errors
/// As [`provision`].
pub async fn provision_off(
    app: &App,
    scope: &OrganisationScope,
    (email, name): (&str, Option<&str>),
) -> Result<Member, Fault> {
    scope.require(Permission::ManageProject)?;
    let account = closed_account(email, name)?;
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let (person, _) = instance::ensure_person(&mut tx, &account, now).await?;
    let roles = members::lock(&mut tx, scope.organisation_id()).await?;
    if roles.iter().any(|(id, _)| *id == person.id) {
        let message = "that person is a member already";
        return Err(Fault::new(Code::Conflict, message));
    }
    tx.commit().await?;
    Ok(Member {
        person,
        role: Role::None,
        since: now,
    })
}

/// Changes a role; the last owner stays owner (`conflict`).
///
/// # Errors
/// `forbidden`, `not_found`, `conflict`, or `unavailable` without Postgres.
pub async fn change_role(
    app: &App,
    scope: &OrganisationScope,
    person: PersonId,
    role: Role,
) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    require_for_role(scope, role)?;
    let mut tx = app.postgres().begin().await?;
    let current = current_role(&mut tx, scope, person, role).await?;
    require_for_role(scope, current)?;
    members::change_role(&mut tx, scope.organisation_id(), person, role).await?;
    let roles = (Some(current), Some(role));
    note(&mut tx, app, scope, (person, roles)).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes a member; the last owner stays (`conflict`). Everybody may remove themselves.
///
/// # Errors
/// `forbidden`, `not_found`, `conflict`, or `unavailable` without Postgres.
pub async fn remove(app: &App, scope: &OrganisationScope, person: PersonId) -> Result<(), Fault> {
    let oneself = scope.actor() == Actor::Person(person);
    if !oneself {
        scope.require(Permission::ManageProject)?;
    }
    let mut tx = app.postgres().begin().await?;
    let current = current_role(&mut tx, scope, person, Role::Viewer).await?;
    if !oneself {
        require_for_role(scope, current)?;
    }
    members::remove(&mut tx, scope.organisation_id(), person).await?;
    note(&mut tx, app, scope, (person, (Some(current), None))).await?;
    tx.commit().await?;
    Ok(())
}

/// Those who have a role of their own in a project, by role and e-mail.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list_of_project(app: &App, scope: &ProjectScope) -> Result<Vec<Member>, Fault> {
    Ok(project_members::list(app.postgres(), scope.project_id()).await?)
}

/// Gives a member of the organisation a role of their own in the project; needs `ManageProject`, and
/// `ManageOwners` where it would make an owner, or change what one of the project or of the
/// organisation may do.
///
/// # Errors
/// `forbidden`, `not_found` when they are no member, or `unavailable` without Postgres.
pub async fn set_in_project(
    app: &App,
    scope: &ProjectScope,
    person: PersonId,
    role: Role,
) -> Result<Member, Fault> {
    require_in_project(app, scope, person, role).await?;
    let now = app.clock().now();
    let set = project_members::set(app.postgres(), scope.project_id(), person, (role, now)).await?;
    let person = set.ok_or_else(|| {
        Fault::not_found(format!(
            "{person} is no member of the organisation: add them there first"
        ))
    })?;
    record(
        app,
        scope,
        "project_member.set",
        &format!("person:{}", person.id),
    )
    .await;
    Ok(Member {
        person,
        role,
        since: now,
    })
}

/// Takes a role of one's own in a project away: that of the organisation holds again. Needs
/// `ManageProject`, and `ManageOwners` for an owner's; nothing happens where there was none.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn remove_from_project(
    app: &App,
    scope: &ProjectScope,
    person: PersonId,
) -> Result<(), Fault> {
    require_in_project(app, scope, person, Role::None).await?;
    project_members::remove(app.postgres(), scope.project_id(), person).await?;
    record(
        app,
        scope,
        "project_member.removed",
        &format!("person:{person}"),
    )
    .await;
    Ok(())
}

/// Only owners make owners of a project, or take that from one; a role in a project goes before that in
/// the organisation, so this holds of the organisation's owners, too.
async fn require_in_project(
    app: &App,
    scope: &ProjectScope,
    person: PersonId,
    wanted: Role,
) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let members = project_members::list(app.postgres(), scope.project_id()).await?;
    let is_owner = |member: &Member| member.person.id == person && member.role == Role::Owner;
    if wanted == Role::Owner
        || members.iter().any(is_owner)
        || role_in_organisation(app, scope, person).await? == Some(Role::Owner)
    {
        scope.require(Permission::ManageOwners)?;
    }
    Ok(())
}

/// What a person is in the organisation that owns the project; `None` when they are no member.
async fn role_in_organisation(
    app: &App,
    scope: &ProjectScope,
    person: PersonId,
) -> Result<Option<Role>, Fault> {
    match organisations::owner_of(app.postgres(), scope.project_id()).await? {
        Some(owner) => Ok(members::role_of(app.postgres(), owner, person).await?),
        None => Ok(None),
    }
}

/// Only owners make owners, or take that from one.
fn require_for_role(scope: &OrganisationScope, role: Role) -> Result<(), Fault> {
    if role == Role::Owner {
        scope.require(Permission::ManageOwners)
    } else {
        Ok(())
    }
}

/// The member's role, with all roles held still; `conflict` when `wanted` would leave no owner.
async fn current_role(
    tx: &mut Transaction,
    scope: &OrganisationScope,
    person: PersonId,
    wanted: Role,
) -> Result<Role, Fault> {
    let roles = members::lock(tx, scope.organisation_id()).await?;
    let current = roles.iter().find(|(id, _)| *id == person);
    let Some((_, current)) = current else {
        return Err(Fault::not_found(format!("no member {person}")));
    };
    let owners = roles
        .iter()
        .filter(|(_, role)| *role == Role::Owner)
        .count();
    if *current == Role::Owner && wanted != Role::Owner && owners == 1 {
        let message = "an organisation needs an owner: make somebody else owner first";
        return Err(Fault::new(Code::Conflict, message));
    }
    Ok(*current)
}

/// Writes down what somebody is in the organisation by now.
async fn note(
    tx: &mut Transaction,
    app: &App,
    scope: &OrganisationScope,
    (person, (before, after)): (PersonId, (Option<Role>, Option<Role>)),
) -> Result<(), Fault> {
    let entry = Entry {
        actor: actor_name(scope.actor()),
        action: match (before, after) {
            (None, _) => "member.added",
            (_, None) => "member.removed",
            _ => "member.changed",
        }
        .into(),
        object: format!("person:{person}"),
        before: json!({ "role": before }),
        after: json!({ "role": after }),
    };
    let tenant = Tenant::Organisation(scope.organisation_id());
    Ok(audit::append_to(tx, tenant, &entry, app.clock().now()).await?)
}

/// An account that nobody can sign in to yet.
pub(crate) fn closed_account(email: &str, name: Option<&str>) -> Result<instance::Account, Fault> {
    let email = names::email(email)?;
    let name = match name.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => names::name("name", name)?,
        None => name_from(&email),
    };
    Ok(instance::Account {
        person: Person {
            id: PersonId(Uuid::now_v7()),
            email,
            name,
        },
        password_hash: None,
    })
}

async fn new_account(app: &App, email: String, password: &str) -> Result<instance::Account, Fault> {
    password::check_choice(password, &email)?;
    let password_hash = password::hash(app.gate().hashing(), password.to_owned()).await?;
    Ok(instance::Account {
        person: Person {
            id: PersonId(Uuid::now_v7()),
            name: name_from(&email),
            email,
        },
        password_hash: Some(password_hash),
    })
}

/// A name to show until the person gives one: `ada.lovelace@…` → `ada.lovelace`.
pub(crate) fn name_from(email: &str) -> String {
    email.split('@').next().unwrap_or(email).to_owned()
}
