//! The first organisation, project, key and person.

use domain::{Fault, PersonId, ProjectId};

use crate::app::App;

/// What the operator asked to exist at the first start (`TRIAXIS_INIT_*`); what is unset is made up.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// Name of the organisation.
    pub org: Option<String>,
    /// Id of the organisation: a UUID, or any text.
    pub org_id: Option<String>,
    /// Name of the project.
    pub project: Option<String>,
    /// Id of the project: a UUID, or any text.
    pub project_id: Option<String>,
    /// Public key.
    pub public_key: Option<String>,
    /// Secret key.
    pub secret_key: Option<String>,
    /// E-mail of the first owner.
    pub email: Option<String>,
    /// Password of the first owner.
    pub password: Option<String>,
}

/// What exists after the start. Secrets that were made up are here once, to be printed.
#[derive(Clone, Debug)]
pub struct Bootstrapped {
    /// Whether this start made the project.
    pub first_start: bool,
    /// The project.
    pub project_id: ProjectId,
    /// The first owner.
    pub person_id: PersonId,
    /// Public key of the project.
    pub public_key: String,
    /// Secret key, if this start made it up or was given it.
    pub secret_key: Option<String>,
    /// E-mail of the first owner.
    pub email: String,
    /// Password, if this start made it up.
    pub password: Option<String>,
}

/// Makes sure that there is an organisation, a project, a key and an owner.
///
/// # Errors
/// `invalid` when a value given cannot be used; `unavailable` without Postgres.
pub async fn ensure(app: &App, init: Init) -> Result<Bootstrapped, Fault> {
    unimplemented!()
}
