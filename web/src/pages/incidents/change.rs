//! What a person says of an incident: that they know of it, that it is over.

use axum::extract::{RawPathParams, State};
use domain::{Fault, IncidentId};
use service::{App, incidents};

use crate::extract::{InProject, Posted};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, see_other};
use crate::urls;

/// Says that they know of it.
pub(crate) async fn acknowledge_incident(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id = named(&params)?;
    incidents::acknowledge(&app, &entered.scope, id).await?;
    Ok(see_other(&urls::incident(entered.id(), id)))
}

/// Says that it is over.
pub(crate) async fn resolve_incident(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id = named(&params)?;
    incidents::resolve(&app, &entered.scope, id).await?;
    Ok(see_other(&urls::incident(entered.id(), id)))
}

/// The incident that the path names.
pub(super) fn named(params: &RawPathParams) -> Result<IncidentId, Fault> {
    let id = segment(params, "incident").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}
