//! Projects of a person, and of an organisation.

/// What a project may be described by.
mod description;
/// The end of a project.
mod removal;

use domain::tenancy::{DescribedProject, Description, Membership, Permission, Project};
use domain::{Code, Fault, PersonId, ProjectId};
use store_postgres::{StoreError, organisations, projects};
use uuid::Uuid;

use crate::app::App;
use crate::audit::record_project;
use crate::names;
use crate::scope::{OrganisationScope, ProjectScope};

pub(crate) use description::check_metadata;
pub(crate) use removal::finish as finish_removal;
pub use removal::{remove, run as run_removals};

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
pub async fn show(app: &App, scope: &ProjectScope) -> Result<DescribedProject, Fault> {
    let id = scope.project_id();
    let project = projects::show(app.postgres(), id).await?;
    project.ok_or_else(|| Fault::not_found(format!("no project {id}")))
}

/// The projects of an organisation, oldest first.
///
/// # Errors
/// `forbidden`, or `unavailable` without Postgres.
pub async fn of_organisation(
    app: &App,
    scope: &OrganisationScope,
) -> Result<Vec<DescribedProject>, Fault> {
    scope.require(Permission::Read)?;
    Ok(projects::of_organisation(app.postgres(), scope.organisation_id()).await?)
}

/// Renames it, and describes it anew where a description is given; needs `ManageProject`.
///
/// # Errors
/// `forbidden`; `invalid` on field `name`, `metadata` or `retention`; `conflict` on `name`; or `unavailable` without Postgres.
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    name: &str,
    description: Option<&Description>,
) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    let name = names::name("name", name)?;
    description.map_or(Ok(()), description::check)?;
    let now = app.clock().now();
    projects::update(
        app.postgres(),
        scope.project_id(),
        (&name, description),
        now,
    )
    .await
    .map_err(name_taken)
}

/// Makes another project in the organisation; its members have the roles there that they have in the
/// organisation. Needs `ManageProject`.
///
/// # Errors
/// `forbidden`; `invalid` on field `name`, `metadata` or `retention`; `conflict` on `name`; or
/// `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &OrganisationScope,
    name: &str,
    description: Description,
) -> Result<DescribedProject, Fault> {
    scope.require(Permission::ManageProject)?;
    let name = names::name("name", name)?;
    description::check(&description)?;
    let id = scope.organisation_id();
    let organisation = organisations::show(app.postgres(), id).await?;
    let organisation = organisation.ok_or_else(|| {
        let message = format!("the organisation {id} is gone");
        Fault::new(Code::NotFound, message)
    })?;
    let project = Project {
        id: ProjectId(Uuid::now_v7()),
        external_id: None,
        organisation: organisation.organisation,
        name,
        created_at: app.clock().now(),
    };
    projects::create(app.postgres(), &project, &description)
        .await
        .map_err(name_taken)?;
    record_project(app, (id, scope.actor()), "project.created", project.id).await;
    Ok(DescribedProject {
        updated_at: project.created_at,
        project,
        description,
    })
}

/// The words for a second project of the same name.
pub(crate) fn name_taken(error: StoreError) -> Fault {
    error.on_constraint("projects_organisation_id_name_key", || {
        let message = "the organisation has a project of that name";
        Fault::new(Code::Conflict, message).on_field("name")
    })
}
