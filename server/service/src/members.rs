//! Members of the scope's organisation.

use domain::tenancy::{Member, Permission, Person, Role};
use domain::{Code, Fault, PersonId};
use store_postgres::{Transaction, instance, members};
use uuid::Uuid;

use crate::app::App;
use crate::auth::password;
use crate::names;
use crate::scope::{Actor, ProjectScope};

/// All members, by role and e-mail.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<Member>, Fault> {
    Ok(members::list(app.postgres(), scope.project_id()).await?)
}

/// Adds a person; where the e-mail is new, an account with the given first password is made.
/// Faults name the field `email`, `role` or `password`.
///
/// # Errors
/// `forbidden`, `invalid`, or `unavailable` without Postgres.
pub async fn add(
    app: &App,
    scope: &ProjectScope,
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
        None => new_account(app, email, password).await?,
    };
    let now = app.clock().now();
    let mut tx = app.postgres().begin().await?;
    let organisation = instance::organisation_of(&mut tx, scope.project_id())
        .await?
        .ok_or_else(|| Fault::not_found(format!("no project {}", scope.project_id())))?;
    let (person, _) = instance::ensure_person(&mut tx, &account, now).await?;
    members::add(&mut tx, organisation, person.id, (role, now))
        .await
        .map_err(|error| {
            error.on_constraint("members_pkey", || {
                Fault::invalid("that person is a member already").on_field("email")
            })
        })?;
    let member = Member {
        person,
        role,
        since: now,
    };
    tx.commit().await?;
    Ok(member)
}

/// Changes a role; the last owner stays owner (`conflict`).
///
/// # Errors
/// `forbidden`, `not_found`, `conflict`, or `unavailable` without Postgres.
pub async fn change_role(
    app: &App,
    scope: &ProjectScope,
    person: PersonId,
    role: Role,
) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    require_for_role(scope, role)?;
    let mut tx = app.postgres().begin().await?;
    let current = current_role(&mut tx, scope, person, role).await?;
    require_for_role(scope, current)?;
    members::change_role(&mut tx, scope.project_id(), person, role).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes a member; the last owner stays (`conflict`). Everybody may remove themselves.
///
/// # Errors
/// `forbidden`, `not_found`, `conflict`, or `unavailable` without Postgres.
pub async fn remove(app: &App, scope: &ProjectScope, person: PersonId) -> Result<(), Fault> {
    let oneself = scope.actor() == Actor::Person(person);
    if !oneself {
        scope.require(Permission::ManageProject)?;
    }
    let mut tx = app.postgres().begin().await?;
    let current = current_role(&mut tx, scope, person, Role::Viewer).await?;
    if !oneself {
        require_for_role(scope, current)?;
    }
    members::remove(&mut tx, scope.project_id(), person).await?;
    tx.commit().await?;
    Ok(())
}

/// Only owners make owners, or take that from one.
fn require_for_role(scope: &ProjectScope, role: Role) -> Result<(), Fault> {
    if role == Role::Owner {
        scope.require(Permission::ManageOwners)
    } else {
        Ok(())
    }
}

/// The member's role, with all roles held still; `conflict` when `wanted` would leave no owner.
async fn current_role(
    tx: &mut Transaction,
    scope: &ProjectScope,
    person: PersonId,
    wanted: Role,
) -> Result<Role, Fault> {
    let roles = members::lock(tx, scope.project_id()).await?;
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

async fn new_account(app: &App, email: String, password: &str) -> Result<instance::Account, Fault> {
    password::check_choice(password, &email)?;
    let password_hash = password::hash(app.gate().hashing(), password.to_owned()).await?;
    Ok(instance::Account {
        person: Person {
            id: PersonId(Uuid::now_v7()),
            name: name_from(&email),
            email,
        },
        password_hash,
    })
}

/// A name to show until the person gives one: `ada.lovelace@…` → `ada.lovelace`.
pub(crate) fn name_from(email: &str) -> String {
    email.split('@').next().unwrap_or(email).to_owned()
}
