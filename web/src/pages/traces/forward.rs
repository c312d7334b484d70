//! Where clients of Langfuse look for pages.

use axum::extract::{RawPathParams, State};
use domain::filter::{Column, Operator};
use domain::tenancy::Permission;
use domain::{Fault, ProjectId};
use service::{App, auth, projects, traces};

use super::query::{ListQuery, PRESETS, Range};
use super::{segment, trace_id};
use crate::extract::{InProject, Visitor};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Most projects in which a trace without one is looked for.
const MOST_PROJECTS: usize = 100;

/// Leads to the list of traces.
pub(crate) async fn forward_list(entered: InProject) -> Answer {
    Ok(see_other(&urls::traces_home(entered.id())))
}

/// Leads to a session.
pub(crate) async fn forward_session(entered: InProject, params: RawPathParams) -> Answer {
    let session = segment(&params, "session").unwrap_or_default();
    Ok(see_other(&urls::session(entered.id(), session)))
}

/// The list narrowed to a value, over the longest range that it offers.
pub(crate) fn those_with(project: ProjectId, column: Column, value: &str) -> String {
    let query = ListQuery {
        range: Range::Last(PRESETS[PRESETS.len() - 1]),
        conditions: vec![(column, Operator::AnyOf, value.to_owned())],
        ..ListQuery::default()
    };
    urls::traces(project, &query)
}

/// Leads to the page of a trace, in whichever of the visitor's projects it is: the oldest clients do not
/// name the project.
pub(crate) async fn find_and_forward(
    State(app): State<App>,
    visitor: Visitor,
    params: RawPathParams,
) -> Answer {
    let trace = trace_id(&params)?;
    let memberships = projects::of_person(&app, visitor.person.id).await?;
    for membership in memberships.iter().take(MOST_PROJECTS) {
        let id = membership.project.id;
        let scope = auth::enter_project(&app, visitor.person.id, id).await?;
        if scope.require(Permission::ReadTraces).is_err() {
            continue;
        }
        if traces::exists(&app, &scope, &trace).await? {
            return Ok(see_other(&urls::trace(id, &trace)));
        }
    }
    Err(Fault::not_found("none of your projects has a trace of this id").into())
}
