//! Projects of an organisation.

use domain::tenancy::{DescribedProject, Description, Membership, Organisation, Project, Role};
use domain::{OrganisationId, PersonId, ProjectId, Timestamp};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError};

/// A query of projects: what follows the columns, then its parameters.
macro_rules! select_projects {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 p.id,
                 p.external_id,
                 p.name,
                 p.metadata::TEXT AS metadata,
                 p.retention_days,
                 p.created_at,
                 p.updated_at,
                 o.id AS organisation_id,
                 o.external_id AS organisation_external_id,
                 o.name AS organisation_name
             FROM projects p "# + $rest
            $(, $parameter)*
        )
    };
}

/// The projects that a person may enter, by organisation and name.
///
/// # Errors
/// When Postgres is away.
pub async fn of_person(db: &Postgres, person: PersonId) -> Result<Vec<Membership>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             p.id,
             p.external_id,
             p.name,
             p.created_at,
             o.id AS organisation_id,
             o.external_id AS organisation_external_id,
             o.name AS organisation_name,
             m.role AS organisation_role,
             coalesce(pm.role, m.role) AS "role!"
         FROM members m
         JOIN organisations o ON o.id = m.organisation_id
         JOIN projects p ON p.organisation_id = o.id
         LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.person_id = m.person_id
         WHERE m.person_id = $1 AND coalesce(pm.role, m.role) <> 'none'
         ORDER BY lower(o.name), o.id, lower(p.name), p.id"#,
        person.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let memberships = rows.into_iter().map(|row| Membership {
        project: Project {
            id: row.id.into(),
            external_id: row.external_id,
            organisation: Organisation {
                id: row.organisation_id.into(),
                external_id: row.organisation_external_id,
                name: row.organisation_name,
            },
            name: row.name,
            created_at: row.created_at.into(),
        },
        role: role(&row.role),
        organisation_role: role(&row.organisation_role),
    });
    Ok(memberships.collect())
}

/// One project.
///
/// # Errors
/// When Postgres is away.
pub async fn show(db: &Postgres, id: ProjectId) -> Result<Option<DescribedProject>, StoreError> {
    let row = select_projects!(
        "JOIN organisations o ON o.id = p.organisation_id
         WHERE p.id = $1",
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(row.map(Row::into_project))
}

/// The projects of an organisation, oldest first.
///
/// # Errors
/// When Postgres is away.
pub async fn of_organisation(
    db: &Postgres,
    organisation: OrganisationId,
) -> Result<Vec<DescribedProject>, StoreError> {
    let rows = select_projects!(
        "JOIN organisations o ON o.id = p.organisation_id
         WHERE o.id = $1
         ORDER BY p.created_at, p.id",
        organisation.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows.into_iter().map(Row::into_project).collect())
}

/// The projects of all organisations, oldest first, for the operator.
///
/// # Errors
/// When Postgres is away.
pub async fn of_everybody(db: &Postgres) -> Result<Vec<DescribedProject>, StoreError> {
    let rows = select_projects!(
        "JOIN organisations o ON o.id = p.organisation_id
         ORDER BY p.created_at, p.id"
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows.into_iter().map(Row::into_project).collect())
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
        r#"SELECT coalesce(pm.role, m.role) AS "role!"
         FROM projects p
         JOIN members m ON m.organisation_id = p.organisation_id
         LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.person_id = m.person_id
         WHERE p.id = $1 AND m.person_id = $2 AND coalesce(pm.role, m.role) <> 'none'"#,
        id.as_uuid(),
        person.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    Ok(name.as_deref().map(role))
}

/// Gives a project another name, and another description where one is given.
///
/// # Errors
/// `projects_organisation_id_name_key` when the organisation has another one of that name.
pub async fn update(
    db: &Postgres,
    id: ProjectId,
    (name, description): (&str, Option<&Description>),
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE projects
         SET name = $2,
             metadata = CASE WHEN $3 THEN $4::TEXT::JSON ELSE metadata END,
             retention_days = CASE WHEN $3 THEN $5 ELSE retention_days END,
             updated_at = $6
         WHERE id = $1",
        id.as_uuid(),
        name,
        description.is_some(),
        description.and_then(|description| description.metadata.as_deref()),
        description.map_or(0, retention),
        at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Makes a project.
///
/// # Errors
/// `projects_organisation_id_name_key` when the organisation has one of that name.
pub async fn create(
    db: &Postgres,
    new: &Project,
    description: &Description,
) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO projects (id, organisation_id, name, metadata, retention_days, created_at)
         VALUES ($1, $2, $3, $4::TEXT::JSON, $5, $6)",
        new.id.as_uuid(),
        new.organisation.id.as_uuid(),
        new.name,
        description.metadata,
        retention(description),
        new.created_at.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    external_id: Option<String>,
    name: String,
    metadata: Option<String>,
    retention_days: i32,
    created_at: OffsetDateTime,
    updated_at: Option<OffsetDateTime>,
    organisation_id: Uuid,
    organisation_external_id: Option<String>,
    organisation_name: String,
}

impl Row {
    fn into_project(self) -> DescribedProject {
        DescribedProject {
            project: Project {
                id: self.id.into(),
                external_id: self.external_id,
                organisation: Organisation {
                    id: self.organisation_id.into(),
                    external_id: self.organisation_external_id,
                    name: self.organisation_name,
                },
                name: self.name,
                created_at: self.created_at.into(),
            },
            description: Description {
                metadata: self.metadata,
                retention_days: self.retention_days.unsigned_abs(),
            },
            updated_at: self.updated_at.unwrap_or(self.created_at).into(),
        }
    }
}

fn retention(description: &Description) -> i32 {
    i32::try_from(description.retention_days).unwrap_or(i32::MAX)
}

/// The least role for a name that is none; the table's constraint keeps such names out.
pub(crate) fn role(name: &str) -> Role {
    Role::from_name(name).unwrap_or(Role::None)
}
