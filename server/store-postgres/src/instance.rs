//! What belongs to no project: the first start, and who signs in.

use domain::tenancy::Person;
use domain::{OrganisationId, PersonId, ProjectId, Timestamp};

use crate::{Postgres, StoreError, Transaction};

/// A person with what is needed to check their password.
pub struct Account {
    /// Who.
    pub person: Person,
    /// argon2id in PHC form; `None` when nobody has set a password for them.
    pub password_hash: Option<String>,
}

/// An organisation or project to be made.
pub struct NewTenant<'a> {
    /// Its name.
    pub name: &'a str,
    /// Text that the operator gave as id.
    pub external_id: Option<&'a str>,
    /// How many days the telemetry of a project is wanted for: 0 for ever.
    pub retention_days: u32,
    /// When it is made.
    pub created_at: Timestamp,
}

/// The account of an e-mail address in lower case.
///
/// # Errors
/// When Postgres is away.
pub async fn account(db: &Postgres, email: &str) -> Result<Option<Account>, StoreError> {
    let row = sqlx::query!(
        "SELECT id, email, name, password_hash FROM people WHERE email = $1",
        email
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Account {
        person: Person {
            id: row.id.into(),
            email: row.email,
            name: row.name,
        },
        password_hash: row.password_hash,
    }))
}

/// The account of a person by id.
///
/// # Errors
/// When Postgres is away.
pub async fn account_of(db: &Postgres, id: PersonId) -> Result<Option<Account>, StoreError> {
    let row = sqlx::query!(
        "SELECT id, email, name, password_hash FROM people WHERE id = $1",
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Account {
        person: Person {
            id: row.id.into(),
            email: row.email,
            name: row.name,
        },
        password_hash: row.password_hash,
    }))
}

/// Puts another password in the place of `known`; whether that was still the person's. What goes with it, such as the end
/// of their sessions, belongs into the same transaction.
///
/// # Errors
/// When Postgres is away.
pub async fn change_password(
    tx: &mut Transaction,
    known: &Account,
    password_hash: &str,
) -> Result<bool, StoreError> {
    let changed = sqlx::query!(
        "UPDATE people SET password_hash = $3 WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2",
        known.person.id.as_uuid(),
        known.password_hash,
        password_hash
    )
    .execute(tx.connection())
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Makes an account, or leaves the one that the address has; gives the person and whether they are
/// new.
///
/// # Errors
/// When Postgres is away.
pub async fn ensure_person(
    tx: &mut Transaction,
    account: &Account,
    created_at: Timestamp,
) -> Result<(Person, bool), StoreError> {
    let person = &account.person;
    let inserted = sqlx::query!(
        "INSERT INTO people (id, email, name, password_hash, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT ON CONSTRAINT people_email_key DO NOTHING",
        person.id.as_uuid(),
        person.email,
        person.name,
        account.password_hash,
        created_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    if inserted.rows_affected() == 1 {
        return Ok((person.clone(), true));
    }
    let row = sqlx::query!(
        "SELECT id, email, name FROM people WHERE email = $1",
        person.email
    )
    .fetch_one(tx.connection())
    .await?;
    let found = Person {
        id: row.id.into(),
        email: row.email,
        name: row.name,
    };
    Ok((found, false))
}

/// Lets replicas that start together do their first steps one after the other, until the end of
/// the transaction.
///
/// # Errors
/// When Postgres is away.
pub async fn lock_bootstrap(tx: &mut Transaction) -> Result<(), StoreError> {
    const KEY: i64 = 0x7472_6961_7869_7301;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(KEY)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// The oldest organisation, of that name if one is given.
///
/// # Errors
/// When Postgres is away.
pub async fn oldest_organisation(
    tx: &mut Transaction,
    name: Option<&str>,
) -> Result<Option<OrganisationId>, StoreError> {
    let id = sqlx::query_scalar!(
        "SELECT id FROM organisations
         WHERE $1::text IS NULL OR name = $1
         ORDER BY created_at, id
         LIMIT 1",
        name
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(id.map(OrganisationId::from))
}

/// The oldest project of an organisation, of that name if one is given.
///
/// # Errors
/// When Postgres is away.
pub async fn oldest_project(
    tx: &mut Transaction,
    organisation: OrganisationId,
    name: Option<&str>,
) -> Result<Option<ProjectId>, StoreError> {
    let id = sqlx::query_scalar!(
        "SELECT id FROM projects
         WHERE organisation_id = $1 AND ($2::text IS NULL OR name = $2)
         ORDER BY created_at, id
         LIMIT 1",
        organisation.as_uuid(),
        name
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(id.map(ProjectId::from))
}

/// Makes an organisation unless the id exists; whether it is new.
///
/// # Errors
/// When Postgres is away.
pub async fn ensure_organisation(
    tx: &mut Transaction,
    id: OrganisationId,
    new: &NewTenant<'_>,
) -> Result<bool, StoreError> {
    let inserted = sqlx::query!(
        "INSERT INTO organisations (id, name, external_id, created_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT organisations_pkey DO NOTHING",
        id.as_uuid(),
        new.name,
        new.external_id,
        new.created_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Makes a project unless the id exists; whether it is new.
///
/// # Errors
/// `projects_organisation_id_name_key` when the organisation has one of that name.
pub async fn ensure_project(
    tx: &mut Transaction,
    organisation: OrganisationId,
    id: ProjectId,
    new: &NewTenant<'_>,
) -> Result<bool, StoreError> {
    let inserted = sqlx::query!(
        "INSERT INTO projects (id, organisation_id, name, external_id, retention_days, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT ON CONSTRAINT projects_pkey DO NOTHING",
        id.as_uuid(),
        organisation.as_uuid(),
        new.name,
        new.external_id,
        i32::try_from(new.retention_days).unwrap_or(i32::MAX),
        new.created_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// The organisation that owns a project.
///
/// # Errors
/// When Postgres is away.
pub async fn organisation_of(
    tx: &mut Transaction,
    project: ProjectId,
) -> Result<Option<OrganisationId>, StoreError> {
    let id = sqlx::query_scalar!(
        "SELECT organisation_id FROM projects WHERE id = $1",
        project.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(id.map(OrganisationId::from))
}

/// The first owner of an organisation.
///
/// # Errors
/// When Postgres is away.
pub async fn first_owner(
    tx: &mut Transaction,
    organisation: OrganisationId,
) -> Result<Option<Person>, StoreError> {
    let row = sqlx::query!(
        "SELECT p.id, p.email, p.name
         FROM members m JOIN people p ON p.id = m.person_id
         WHERE m.organisation_id = $1 AND m.role = 'owner'
         ORDER BY m.since, p.id
         LIMIT 1",
        organisation.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(|row| Person {
        id: row.id.into(),
        email: row.email,
        name: row.name,
    }))
}
