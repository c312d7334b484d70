//! `GET /api/public/traces/{traceId}`

use axum::extract::{Extension, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use service::{App, ProjectScope, models, numbered, whole};

use super::whole::WholeText;
use crate::langfuse::error::Result;
use crate::langfuse::groups::Groups;
use crate::langfuse::observations::Pricing;
use crate::langfuse::path::PathTrace;
use crate::langfuse::query::Query;
use crate::scratch::Scratch;
use crate::sending;

/// One trace with all its observations and scores. It is read as a whole before the first byte is sent,
/// so that a failure is told as one.
pub(crate) async fn show_trace(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathTrace(trace_id): PathTrace,
    query: Query,
) -> Result<Response> {
    let groups = Groups::read(&query)?;
    let missing = || {
        Fault::not_found(format!(
            "Trace {trace_id} not found within authorized project"
        ))
    };
    let portrait = numbered::trace(&app, &scope, &trace_id).await?;
    let portrait = portrait.ok_or_else(missing)?;
    let mut text = WholeText::new(scope.project_id(), &portrait, &groups)?;
    if groups.usually("observations") {
        let trace = whole::open(&app, &scope, &trace_id).await?;
        let trace = trace.ok_or_else(missing)?;
        let scratch = Scratch::within(app.settings().scratch_dir.clone());
        let pricing = Pricing::new(models::all_prices(&app, &scope).await?);
        text.read(scope.project_id(), (trace, pricing), scratch)
            .await?;
    }
    let body = sending::body(text.pieces());
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}
