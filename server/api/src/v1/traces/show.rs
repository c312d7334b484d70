//! `GET /api/v1/traces/{trace_id}`

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use service::{App, whole};

use crate::error::Result;
use crate::extract::{Caller, PathTrace};
use crate::scratch::Scratch;
use crate::sending;
use crate::shape::TraceText;

/// One trace with all its spans, nested. It is read as a whole before the first byte is sent, so that a
/// failure is told as one.
pub(crate) async fn show_trace(
    State(app): State<App>,
    Caller(scope): Caller,
    PathTrace(trace_id): PathTrace,
) -> Result<Response> {
    let trace = whole::open(&app, &scope, &trace_id).await?;
    let trace = trace.ok_or_else(|| Fault::not_found(format!("no trace {trace_id}")))?;
    let scratch = Scratch::within(app.settings().scratch_dir.clone());
    let text = TraceText::of(trace, scratch).await?;
    let body = sending::body(text.pieces());
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}
