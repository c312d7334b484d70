//! Where clients of Langfuse look for the page of a trace.

use axum::extract::RawPathParams;

use super::trace_id;
use crate::extract::InProject;
use crate::pages::{Answer, see_other};
use crate::urls;

/// Leads to the page.
pub(crate) async fn forward(entered: InProject, params: RawPathParams) -> Answer {
    let trace = trace_id(&params)?;
    Ok(see_other(&urls::trace(entered.id(), &trace)))
}
