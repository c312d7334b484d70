//! Organisations, as the operator manages them.

use std::collections::HashMap;

use domain::tenancy::{DescribedOrganisation, DescribedProject, Tenant};
use domain::{Code, Fault, OrganisationId};
use store_postgres::{organisations, projects};
use uuid::Uuid;

use crate::app::App;
use crate::names;
use crate::projects::check_metadata;
use crate::scope::{OperatorScope, OrganisationScope};

/// An organisation with its projects, both oldest first.
pub type WithProjects = (DescribedOrganisation, Vec<DescribedProject>);

/// All of them.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, _: &OperatorScope) -> Result<Vec<WithProjects>, Fault> {
    let all = organisations::list(app.postgres()).await?;
    let mut projects: HashMap<OrganisationId, Vec<DescribedProject>> = HashMap::new();
    for described in projects::of_everybody(app.postgres()).await? {
        let owner = described.project.organisation.id;
        projects.entry(owner).or_default().push(described);
    }
    let with_projects = all.into_iter().map(|described| {
        let of_it = projects.remove(&described.organisation.id);
        (described, of_it.unwrap_or_default())
    });
    Ok(with_projects.collect())
}

/// The one of the scope.
///
/// # Errors
/// `not_found` when it is gone; `unavailable` without Postgres.
pub async fn show(app: &App, scope: &OrganisationScope) -> Result<DescribedOrganisation, Fault> {
    let found = organisations::show(app.postgres(), scope.organisation_id()).await?;
    found.ok_or_else(|| missing(scope.organisation_id()))
}

/// Makes one without members.
///
/// # Errors
/// `invalid` on `name` or `metadata`; `unavailable` without Postgres.
pub async fn create(
    app: &App,
    operator: &OperatorScope,
    name: &str,
    metadata: Option<&str>,
) -> Result<DescribedOrganisation, Fault> {
    let name = names::name("name", name)?;
    check_metadata(metadata)?;
    let id = OrganisationId(Uuid::now_v7());
    let now = app.clock().now();
    organisations::create(app.postgres(), id, (&name, metadata), now).await?;
    let scope = crate::auth::operate_organisation(app, operator, id).await?;
    show(app, &scope).await
}

/// Renames the scope's, and gives it other metadata where it is given; `Some(None)` takes it away.
///
/// # Errors
/// `not_found`; `invalid` on `name` or `metadata`; `unavailable` without Postgres.
pub async fn update(
    app: &App,
    _: &OperatorScope,
    (scope, name): (&OrganisationScope, &str),
    metadata: Option<Option<&str>>,
) -> Result<DescribedOrganisation, Fault> {
    let name = names::name("name", name)?;
    check_metadata(metadata.flatten())?;
    let id = scope.organisation_id();
    if !organisations::update(app.postgres(), id, &name, metadata).await? {
        return Err(missing(id));
    }
    show(app, scope).await
}

/// Deletes the scope's with its members and keys.
///
/// # Errors
/// `not_found`; `invalid` while it has projects; `unavailable` without Postgres.
pub async fn delete(app: &App, _: &OperatorScope, scope: &OrganisationScope) -> Result<(), Fault> {
    let id = scope.organisation_id();
    let deleted = organisations::delete(app.postgres(), id).await;
    let deleted = deleted.map_err(|error| {
        error.on_constraint("projects_organisation_id_fkey", || {
            let message = "the organisation has projects: delete them first";
            Fault::new(Code::Invalid, message)
        })
    })?;
    if !deleted {
        return Err(missing(id));
    }
    app.gate().forget_keys_of(Tenant::Organisation(id));
    Ok(())
}

fn missing(id: OrganisationId) -> Fault {
    Fault::not_found(format!("no organisation {id}"))
}
