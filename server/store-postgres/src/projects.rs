//! Projects of an organisation.

use domain::tenancy::{Membership, Organisation, Project, Role};
use domain::{PersonId, ProjectId};

use crate::{Postgres, StoreError};

/// The projects that a person may enter, by organisation and name.
///
/// # Errors
/// When Postgres is away.
pub async fn of_person(db: &Postgres, person: PersonId) -> Result<Vec<Membership>, StoreError> {
    let rows = sqlx::query!(
        "SELECT
             p.id,
             p.name,
             p.created_at,
             o.id AS organisation_id,
             o.name AS organisation_name,
             m.role
         FROM members m
         JOIN organisations o ON o.id = m.organisation_id
         JOIN projects p ON p.organisation_id = o.id
         WHERE m.person_id = $1
         ORDER BY lower(o.name), o.id, lower(p.name), p.id",
        person.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let memberships = rows.into_iter().map(|row| Membership {
        project: Project {
            id: row.id.into(),
            organisation: Organisation {
                id: row.organisation_id.into(),
                name: row.organisation_name,
            },
            name: row.name,
            created_at: row.created_at.into(),
        },
        role: role(&row.role),
    });
    Ok(memberships.collect())
}

/// One project.
///
/// # Errors
/// When Postgres is away.
pub async fn show(db: &Postgres, id: ProjectId) -> Result<Option<Project>, StoreError> {
    let row = sqlx::query!(
        "SELECT
             p.id,
             p.name,
             p.created_at,
             o.id AS organisation_id,
             o.name AS organisation_name
         FROM projects p JOIN organisations o ON o.id = p.organisation_id
         WHERE p.id = $1",
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(|row| Project {
        id: row.id.into(),
        organisation: Organisation {
            id: row.organisation_id.into(),
            name: row.organisation_name,
        },
        name: row.name,
        created_at: row.created_at.into(),
    }))
}

/// The role of a person in a project; `None` when they may not enter it.
///
/// # Errors
/// When Postgres is away.
pub async fn role_of(
    db: &Postgres,
    id: ProjectId,
    person: PersonId,
) -> Result<Option<Role>, StoreError> {
    let name = sqlx::query_scalar!(
        "SELECT m.role
         FROM projects p JOIN members m ON m.organisation_id = p.organisation_id
         WHERE p.id = $1 AND m.person_id = $2",
        id.as_uuid(),
        person.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(name.as_deref().map(role))
}

/// Renames a project.
///
/// # Errors
/// `projects_organisation_id_name_key` when the organisation has another one of that name.
pub async fn rename(db: &Postgres, id: ProjectId, name: &str) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE projects SET name = $2 WHERE id = $1",
        id.as_uuid(),
        name
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Makes another project beside one, in the same organisation.
///
/// # Errors
/// `projects_organisation_id_name_key` when the organisation has one of that name.
pub async fn create_beside(
    db: &Postgres,
    sibling: ProjectId,
    new: &Project,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO projects (id, organisation_id, name, created_at)
         SELECT $2, organisation_id, $3, $4 FROM projects WHERE id = $1",
        sibling.as_uuid(),
        new.id.as_uuid(),
        new.name,
        new.created_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// The least role for a name that is none; the table's constraint keeps such names out.
pub(crate) fn role(name: &str) -> Role {
    Role::from_name(name).unwrap_or_default()
}
