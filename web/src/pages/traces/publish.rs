//! Makes a trace public, or private again.

use axum::extract::{RawPathParams, State};
use service::{App, public_links};

use super::trace_id;
use crate::extract::{InProject, Posted};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Does so, and goes back to it.
pub(crate) async fn publish_trace(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let trace_id = trace_id(&params)?;
    let is_public = pairs.get("public") == Some("yes");
    public_links::publish(&app, &entered.scope, &trace_id, is_public).await?;
    Ok(see_other(&urls::trace(entered.id(), &trace_id)))
}
