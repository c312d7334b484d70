//! `GET /api/v1/traces/{trace_id}`

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use futures_util::{StreamExt, stream};
use service::{App, spans};

use crate::error::Result;
use crate::extract::{Caller, PathTrace};
use crate::shape::write_trace;

/// One trace with all its spans, nested. One read gives both the totals and the spans, so that they
/// always agree.
pub(crate) async fn show_trace(
    State(app): State<App>,
    Caller(scope): Caller,
    PathTrace(trace_id): PathTrace,
) -> Result<Response> {
    let spans = spans::of_trace(&app, &scope, &trace_id).await?;
    let pieces =
        write_trace(spans).ok_or_else(|| Fault::not_found(format!("no trace {trace_id}")))?;
    let body = Body::from_stream(stream::iter(pieces).map(Ok::<_, Infallible>));
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}
