//! Members of an organisation.

use domain::tenancy::{Member, Person, Role};
use domain::{OrganisationId, PersonId, ProjectId, Timestamp};

use crate::projects::role;
use crate::{Postgres, StoreError, Transaction};

/// All members, by role and e-mail.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, organisation: OrganisationId) -> Result<Vec<Member>, StoreError> {
    let rows = sqlx::query!(
        "SELECT
             pe.id,
             pe.email,
             pe.name,
             m.role,
             m.since
         FROM members m JOIN people pe ON pe.id = m.person_id
         WHERE m.organisation_id = $1",
        organisation.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let mut members: Vec<Member> = rows
        .into_iter()
        .map(|row| Member {
            person: Person {
                id: row.id.into(),
                email: row.email,
                name: row.name,
            },
            role: role(&row.role),
            since: row.since.into(),
        })
        .collect();
    members.sort_by(|a, b| (a.role, &a.person.email).cmp(&(b.role, &b.person.email)));
    Ok(members)
}

/// The organisations that a person is a member of.
///
/// # Errors
/// When Postgres is away.
pub async fn organisations_of(
    db: &Postgres,
    person: PersonId,
) -> Result<Vec<OrganisationId>, StoreError> {
    let ids = sqlx::query_scalar!(
        "SELECT organisation_id FROM members WHERE person_id = $1 ORDER BY organisation_id",
        person.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    Ok(ids.into_iter().map(OrganisationId::from).collect())
}

/// Members who may enter a project, by e-mail, at most `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn people(
    db: &Postgres,
    project: ProjectId,
    limit: u32,
) -> Result<Vec<Person>, StoreError> {
    let rows = sqlx::query!(
        "SELECT pe.id, pe.email, pe.name
         FROM projects p
             JOIN members m ON m.organisation_id = p.organisation_id
             JOIN people pe ON pe.id = m.person_id
             LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.person_id = m.person_id
         WHERE p.id = $1 AND coalesce(pm.role, m.role) <> 'none'
         ORDER BY pe.email
         LIMIT $2",
        project.as_uuid(),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    let person = rows.into_iter().map(|row| Person {
        id: row.id.into(),
        email: row.email,
        name: row.name,
    });
    Ok(person.collect())
}

/// Whether a person is a member.
///
/// # Errors
/// When Postgres is away.
pub async fn has(db: &Postgres, project: ProjectId, person: PersonId) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT 1
             FROM projects p JOIN members m ON m.organisation_id = p.organisation_id
             WHERE p.id = $1 AND m.person_id = $2
         ) AS "found!""#,
        project.as_uuid(),
        person.as_uuid()
    )
    .fetch_one(db.pool())
    .await?;
    Ok(found)
}

/// E-mails of those of some people who are members of the organisation of a project.
///
/// # Errors
/// When Postgres is away.
pub async fn emails(
    db: &Postgres,
    project: ProjectId,
    people: &[PersonId],
) -> Result<Vec<(PersonId, String)>, StoreError> {
    let people: Vec<uuid::Uuid> = people.iter().map(|person| person.as_uuid()).collect();
    let rows = sqlx::query!(
        "SELECT pe.id, pe.email
         FROM projects p
         JOIN members m ON m.organisation_id = p.organisation_id
         JOIN people pe ON pe.id = m.person_id
         WHERE p.id = $1 AND m.person_id = ANY ($2)",
        project.as_uuid(),
        &people
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.id.into(), row.email))
        .collect())
}

/// The roles of all members, held still until the end of the transaction, so that two changes at
/// once cannot both leave another as the last owner.
///
/// # Errors
/// When Postgres is away.
pub async fn lock(
    tx: &mut Transaction,
    organisation: OrganisationId,
) -> Result<Vec<(PersonId, Role)>, StoreError> {
    let rows = sqlx::query!(
        "SELECT person_id, role FROM members
         WHERE organisation_id = $1
         ORDER BY person_id
         FOR UPDATE",
        organisation.as_uuid()
    )
    .fetch_all(tx.connection())
    .await?;
    let roles = rows
        .into_iter()
        .map(|row| (row.person_id.into(), role(&row.role)));
    Ok(roles.collect())
}

/// Adds a person to an organisation.
///
/// # Errors
/// `members_pkey` when they are a member already.
pub async fn add(
    tx: &mut Transaction,
    organisation: OrganisationId,
    person: PersonId,
    (role, since): (Role, Timestamp),
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO members (organisation_id, person_id, role, since) VALUES ($1, $2, $3, $4)",
        organisation.as_uuid(),
        person.as_uuid(),
        role.as_str(),
        since.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Changes a role; whether there was such a member.
///
/// # Errors
/// When Postgres is away.
pub async fn change_role(
    tx: &mut Transaction,
    organisation: OrganisationId,
    person: PersonId,
    role: Role,
) -> Result<bool, StoreError> {
    let changed = sqlx::query!(
        "UPDATE members SET role = $3, from_groups = false
         WHERE organisation_id = $1 AND person_id = $2",
        organisation.as_uuid(),
        person.as_uuid(),
        role.as_str()
    )
    .execute(tx.connection())
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Gives a person the role that their groups give them, as a new member or in the place of another role.
///
/// # Errors
/// When Postgres is away.
pub async fn set_by_groups(
    tx: &mut Transaction,
    organisation: OrganisationId,
    person: PersonId,
    (role, since): (Role, Timestamp),
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO members (organisation_id, person_id, role, since, from_groups)
         VALUES ($1, $2, $3, $4, true)
         ON CONFLICT ON CONSTRAINT members_pkey
         DO UPDATE SET role = excluded.role, from_groups = true",
        organisation.as_uuid(),
        person.as_uuid(),
        role.as_str(),
        since.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Removes a member whom groups made one; whether there was such a one.
///
/// # Errors
/// When Postgres is away.
pub async fn remove_of_groups(
    tx: &mut Transaction,
    organisation: OrganisationId,
    person: PersonId,
) -> Result<bool, StoreError> {
    let removed = sqlx::query!(
        "DELETE FROM members
         WHERE organisation_id = $1 AND person_id = $2 AND from_groups",
        organisation.as_uuid(),
        person.as_uuid()
    )
    .execute(tx.connection())
    .await?;
    Ok(removed.rows_affected() == 1)
}

/// Removes a member; whether there was such a one.
///
/// # Errors
/// When Postgres is away.
pub async fn remove(
    tx: &mut Transaction,
    organisation: OrganisationId,
    person: PersonId,
) -> Result<bool, StoreError> {
    let removed = sqlx::query!(
        "DELETE FROM members
         WHERE organisation_id = $1 AND person_id = $2",
        organisation.as_uuid(),
        person.as_uuid()
    )
    .execute(tx.connection())
    .await?;
    Ok(removed.rows_affected() == 1)
}

/// The role of a person in an organisation; `None` when they are no member.
///
/// # Errors
/// When Postgres is away.
pub async fn role_of(
    db: &Postgres,
    organisation: OrganisationId,
    person: PersonId,
) -> Result<Option<Role>, StoreError> {
    let name = sqlx::query_scalar!(
        "SELECT role FROM members WHERE organisation_id = $1 AND person_id = $2",
        organisation.as_uuid(),
        person.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(name.as_deref().map(role))
}
