//! The way in: the traces of the first project.

use axum::extract::State;
use domain::Fault;
use service::{App, projects};

use super::{Answer, see_other};
use crate::extract::Visitor;
use crate::urls;

/// Leads to the first project.
pub(crate) async fn show_home(State(app): State<App>, visitor: Visitor) -> Answer {
    let memberships = projects::of_person(&app, visitor.person.id).await?;
    let first = memberships.first().ok_or_else(|| {
        Fault::not_found("you are not a member of any project: ask an administrator to add you")
    })?;
    Ok(see_other(&urls::traces_home(first.project.id)))
}
