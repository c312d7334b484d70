//! Projects of a person.

use domain::tenancy::{Membership, Permission, Project};
use domain::{Fault, PersonId, ProjectId};
use store_postgres::{StoreError, projects};
use uuid::Uuid;

use crate::app::App;
use crate::names;
use crate::scope::ProjectScope;

/// The projects that a person may enter, by organisation and name.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn of_person(app: &App, person: PersonId) -> Result<Vec<Membership>, Fault> {
    Ok(projects::of_person(app.postgres(), person).await?)
}

/// The project of a scope.
///
/// # Errors
/// `not_found` when it has been deleted.
pub async fn show(app: &App, scope: &ProjectScope) -> Result<Project, Fault> {
    let id = scope.project_id();
    let project = projects::show(app.postgres(), id).await?;
    project.ok_or_else(|| Fault::not_found(format!("no project {id}")))
}

/// Renames it; needs `ManageProject`; `invalid` on field `name`.
///
/// # Errors
/// `forbidden`, `invalid`, or `unavailable` without Postgres.
pub async fn rename(app: &App, scope: &ProjectScope, name: &str) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let name = names::name("name", name)?;
    projects::rename(app.postgres(), scope.project_id(), &name)
        .await
        .map_err(name_taken)
}

/// Makes another project in the same organisation; the caller keeps their role there.
///
/// # Errors
/// `forbidden`, `invalid` on field `name`, or `unavailable` without Postgres.
pub async fn create(app: &App, scope: &ProjectScope, name: &str) -> Result<Project, Fault> {
    scope.require(Permission::ManageProject)?;
    let sibling = show(app, scope).await?;
    let project = Project {
        id: ProjectId(Uuid::now_v7()),
        organisation: sibling.organisation,
        name: names::name("name", name)?,
        created_at: app.clock().now(),
    };
    projects::create_beside(app.postgres(), sibling.id, &project)
        .await
        .map_err(name_taken)?;
    Ok(project)
}

/// The words for a second project of the same name.
pub(crate) fn name_taken(error: StoreError) -> Fault {
    error.on_constraint("projects_organisation_id_name_key", || {
        Fault::invalid("the organisation has a project of that name").on_field("name")
    })
}
