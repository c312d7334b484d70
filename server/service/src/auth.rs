//! Who is asking: keys and passwords.

use std::net::IpAddr;

use domain::tenancy::Person;
use domain::{Fault, PersonId, ProjectId};

use crate::app::App;
use crate::scope::ProjectScope;

/// Credentials as a program sends them: `Basic base64(public:secret)` or `Bearer secret`.
pub async fn authenticate_key(app: &App, authorization: Option<&str>) -> Result<ProjectScope, Fault> {
    unimplemented!()
}

/// Checks e-mail and password; slow on purpose, limited per address and per account.
pub async fn sign_in(app: &App, email: &str, password: &str, from: IpAddr) -> Result<Person, Fault> {
    unimplemented!()
}

/// The person of a session; `None` when they no longer exist.
pub async fn person(app: &App, id: PersonId) -> Result<Option<Person>, Fault> {
    unimplemented!()
}

/// Enters a project as a signed-in person; `not_found` when they are not a member.
pub async fn enter_project(app: &App, person: PersonId, project: ProjectId) -> Result<ProjectScope, Fault> {
    unimplemented!()
}

/// Caches and limits of sign-in and keys.
#[derive(Default)]
pub(crate) struct Gate {}
