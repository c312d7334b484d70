//! `DELETE /api/v1/traces/{trace_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, traces};

use crate::error::Result;
use crate::extract::{Caller, PathTrace};

/// Deletes a trace.
pub(crate) async fn delete_trace(
    State(app): State<App>,
    Caller(scope): Caller,
    PathTrace(trace_id): PathTrace,
) -> Result<StatusCode> {
    traces::delete(&app, &scope, &trace_id).await?;
    Ok(StatusCode::NO_CONTENT)
}
