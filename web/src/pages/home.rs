//! The way in: the first page of the first project; and what is said where there is nothing.

use axum::extract::State;
use axum::response::IntoResponse;
use domain::Fault;
use http::{StatusCode, Uri};
use service::{App, projects};

use super::{Answer, no_such_page, see_other};
use crate::extract::Visitor;
use crate::layout::first_page;

/// Leads to the first project.
pub(crate) async fn show_home(State(app): State<App>, visitor: Visitor) -> Answer {
    let memberships = projects::of_person(&app, visitor.person.id).await?;
    let first = memberships.first().ok_or_else(|| {
        Fault::not_found("you are not a member of any project: ask an administrator to add you")
    })?;
    Ok(see_other(&first_page(first.project.id, first.role)))
}

/// Whatever is no address of anything. The paths of programs get no page.
pub(crate) async fn show_missing(uri: Uri) -> Answer {
    let for_programs = ["/api/", "/v1/"]
        .iter()
        .any(|start| uri.path().starts_with(start));
    if for_programs {
        return Ok(StatusCode::NOT_FOUND.into_response());
    }
    Err(no_such_page().into())
}
