//! Roles that members of an organisation have in one of its projects.

use domain::tenancy::{Member, Person, Role};
use domain::{PersonId, ProjectId, Timestamp};

use crate::projects::role;
use crate::{Postgres, StoreError};

/// Those who have a role of their own in the project, by role and e-mail.
///
/// # Errors
/// When Postgres is away.
pub async fn list(db: &Postgres, project: ProjectId) -> Result<Vec<Member>, StoreError> {
    let rows = sqlx::query!(
        "SELECT
             pe.id,
             pe.email,
             pe.name,
             m.role,
             m.since
         FROM project_members m JOIN people pe ON pe.id = m.person_id
         WHERE m.project_id = $1",
        project.as_uuid()
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

/// Gives a member of the organisation a role in the project; the person, `None` when they are no
/// member.
///
/// # Errors
/// When Postgres is away.
pub async fn set(
    db: &Postgres,
    project: ProjectId,
    person: PersonId,
    (role, since): (Role, Timestamp),
) -> Result<Option<Person>, StoreError> {
    let mut tx = db.begin().await?;
    let found = sqlx::query!(
        "SELECT m.organisation_id, pe.email, pe.name
         FROM projects p
         JOIN members m ON m.organisation_id = p.organisation_id
         JOIN people pe ON pe.id = m.person_id
         WHERE p.id = $1 AND m.person_id = $2
         FOR SHARE OF m, p",
        project.as_uuid(),
        person.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    let Some(found) = found else {
        return Ok(None);
    };
    sqlx::query!(
        "INSERT INTO project_members (project_id, organisation_id, person_id, role, since)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT ON CONSTRAINT project_members_pkey DO UPDATE SET role = excluded.role",
        project.as_uuid(),
        found.organisation_id,
        person.as_uuid(),
        role.as_str(),
        since.to_utc()
    )
    .execute(tx.connection())
    .await?;
    tx.commit().await?;
    Ok(Some(Person {
        id: person,
        email: found.email,
        name: found.name,
    }))
}

/// Takes a role in the project away: that of the organisation holds again.
///
/// # Errors
/// When Postgres is away.
pub async fn remove(db: &Postgres, project: ProjectId, person: PersonId) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM project_members WHERE project_id = $1 AND person_id = $2",
        project.as_uuid(),
        person.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
