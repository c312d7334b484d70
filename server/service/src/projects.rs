//! Projects of a person.

use domain::tenancy::{Membership, Project};
use domain::{Fault, PersonId};

use crate::app::App;
use crate::scope::ProjectScope;

/// The projects that a person may enter, by organisation and name.
pub async fn of_person(app: &App, person: PersonId) -> Result<Vec<Membership>, Fault> {
    unimplemented!()
}

/// The project of a scope.
pub async fn show(app: &App, scope: &ProjectScope) -> Result<Project, Fault> {
    unimplemented!()
}

/// Renames it; needs `ManageProject`; `invalid` on field `name`.
pub async fn rename(app: &App, scope: &ProjectScope, name: &str) -> Result<(), Fault> {
    unimplemented!()
}

/// Makes another project in the same organisation; the caller keeps their role there.
pub async fn create(app: &App, scope: &ProjectScope, name: &str) -> Result<Project, Fault> {
    unimplemented!()
}
