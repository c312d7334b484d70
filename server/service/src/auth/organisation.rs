//! Who manages organisations: their keys, their members, and the operator.

use domain::tenancy::Role;
use domain::{Code, Fault, OrganisationId, ProjectId};
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};
use store_postgres::{members, organisations};
use subtle::ConstantTimeEq;

use super::header::{self, Presented};
use super::known_key;
use crate::app::App;
use crate::scope::{Actor, OperatorScope, OrganisationScope, ProjectScope};

/// Credentials of a program that manages an organisation.
///
/// # Errors
/// `unauthenticated` for anything but a live key; `forbidden` for a key of a project, and for the public
/// part of one alone; `unavailable` for a key that is not known here while Postgres is away.
pub async fn authenticate_organisation_key(
    app: &App,
    authorization: Option<&str>,
) -> Result<OrganisationScope, Fault> {
    let known = known_key(app, authorization).await?;
    let organisation = known.tenant.organisation().filter(|_| !known.is_public);
    let message = "that takes a key of the organisation";
    let organisation = organisation.ok_or_else(|| Fault::new(Code::Forbidden, message))?;
    Ok(OrganisationScope::new(
        organisation,
        Actor::Key(known.id),
        known.role,
    ))
}

/// The operator's key, as `Bearer key`.
///
/// # Errors
/// `unauthenticated` for anything else, and where the operator has set none.
pub fn authenticate_operator(
    app: &App,
    authorization: Option<&str>,
) -> Result<OperatorScope, Fault> {
    let refused = |message| Fault::new(Code::Unauthenticated, message);
    let Some(expected) = &app.settings().admin_key else {
        let message = "the operator of this server has set no key (TRIAXIS_ADMIN_API_KEY)";
        return Err(refused(message));
    };
    let Some(Presented::Secret(shown)) = header::parse(authorization) else {
        return Err(refused(OPERATORS_KEY));
    };
    // Digests are as long as each other, so that the length of the key is not told either.
    let (shown, expected) = (
        Sha256::digest(shown.as_bytes()),
        Sha256::digest(expected.expose_secret()),
    );
    if bool::from(shown.ct_eq(&expected)) {
        Ok(OperatorScope::new())
    } else {
        Err(refused(OPERATORS_KEY))
    }
}

const OPERATORS_KEY: &str = "give the operator's key: Authorization: Bearer key";

/// The operator's key for a project, where it is shown twice: as `Bearer key`, and as `again`.
///
/// # Errors
/// `unauthenticated` unless both are right; `not_found` when there is no such project.
pub async fn authenticate_operator_in(
    app: &App,
    authorization: Option<&str>,
    again: &str,
    project: ProjectId,
) -> Result<ProjectScope, Fault> {
    authenticate_operator(app, authorization)?;
    authenticate_operator(app, Some(&format!("Bearer {again}")))?;
    let owner = organisations::owner_of(app.postgres(), project).await?;
    owner.ok_or_else(|| no_project(project))?;
    Ok(ProjectScope::new(project, Actor::Operator, Role::Admin))
}

/// The organisation of a project that a person has entered; what they may do there is another matter
/// than what they may do in the project.
///
/// # Errors
/// `forbidden` for a program with a key of the project; `not_found` when the project is gone, or the
/// person no member any more; `unavailable` without Postgres.
pub async fn enter_organisation(
    app: &App,
    scope: &ProjectScope,
) -> Result<OrganisationScope, Fault> {
    let project = scope.project_id();
    let Actor::Person(person) = scope.actor() else {
        let message = "a key of a project does not manage its organisation";
        return Err(Fault::new(Code::Forbidden, message));
    };
    let owner = organisations::owner_of(app.postgres(), project).await?;
    let owner = owner.ok_or_else(|| no_project(project))?;
    let role = members::role_of(app.postgres(), owner, person).await?;
    let role = role.ok_or_else(|| no_project(project))?;
    Ok(OrganisationScope::new(owner, scope.actor(), role))
}

/// A project of the organisation, with the role that the caller has there.
///
/// # Errors
/// `not_found` when the organisation has no such project; `unavailable` without Postgres.
pub async fn enter_project_of(
    app: &App,
    scope: &OrganisationScope,
    project: ProjectId,
) -> Result<ProjectScope, Fault> {
    let owner = organisations::owner_of(app.postgres(), project).await?;
    if owner != Some(scope.organisation_id()) {
        return Err(no_project(project));
    }
    Ok(ProjectScope::new(project, scope.actor(), scope.role()))
}

/// A project whose telemetry the server exports because the project has set so: to read, no more.
pub(crate) fn enter_to_export(project: ProjectId) -> ProjectScope {
    ProjectScope::new(project, Actor::Server, Role::Viewer)
}

/// A project whose targets the server scrapes because the project has set so: to add their metrics, no more.
pub(crate) fn enter_to_scrape(project: ProjectId) -> ProjectScope {
    ProjectScope::new(project, Actor::Server, Role::Viewer)
}

/// An organisation, for the operator.
///
/// # Errors
/// `not_found` when there is no such one; `unavailable` without Postgres.
pub async fn operate_organisation(
    app: &App,
    _: &OperatorScope,
    id: OrganisationId,
) -> Result<OrganisationScope, Fault> {
    let found = organisations::show(app.postgres(), id).await?;
    found.ok_or_else(|| Fault::not_found(format!("no organisation {id}")))?;
    Ok(OrganisationScope::new(id, Actor::Operator, Role::Owner))
}

fn no_project(id: ProjectId) -> Fault {
    Fault::not_found(format!("no project {id}"))
}
