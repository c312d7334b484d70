//! Members of the scope's organisation.

use domain::tenancy::{Member, Role};
use domain::{Fault, PersonId};

use crate::app::App;
use crate::scope::ProjectScope;

/// All members, by role and e-mail.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<Member>, Fault> {
    unimplemented!()
}

/// Adds a person; where the e-mail is new, an account with the given first password is made.
/// Faults name the field `email`, `role` or `password`.
pub async fn add(app: &App, scope: &ProjectScope, email: &str, role: Role, password: &str) -> Result<Member, Fault> {
    unimplemented!()
}

/// Changes a role; the last owner stays owner (`conflict`).
pub async fn change_role(app: &App, scope: &ProjectScope, person: PersonId, role: Role) -> Result<(), Fault> {
    unimplemented!()
}

/// Removes a member; the last owner stays (`conflict`).
pub async fn remove(app: &App, scope: &ProjectScope, person: PersonId) -> Result<(), Fault> {
    unimplemented!()
}
