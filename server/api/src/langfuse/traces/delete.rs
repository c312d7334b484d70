//! `DELETE /api/public/traces/{traceId}`, `DELETE /api/public/traces`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::TraceId;
use serde_json::json;
use service::{App, ProjectScope, traces};

use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::path::PathTrace;

/// Most traces of one request.
const MOST: usize = 1_000;

/// Deletes a trace; one that is not there is deleted already.
pub(crate) async fn delete_trace(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathTrace(trace_id): PathTrace,
) -> Result<Response> {
    delete(&app, &scope, &[trace_id]).await?;
    Ok(Json(json!({ "message": "Trace deleted successfully" })).into_response())
}

/// Deletes several.
pub(crate) async fn delete_traces(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let texts = body.texts("traceIds")?;
    let texts = texts.ok_or_else(|| Issue::of_type("traceIds", "array, received undefined"))?;
    if !(1..=MOST).contains(&texts.len()) {
        let message = format!("must have 1 to {MOST} elements");
        return Err(Issue::new("custom", "traceIds", message).into());
    }
    // What is no id is the id of no trace.
    let ids: Vec<TraceId> = texts
        .iter()
        .filter_map(|text| TraceId::from_text(text).ok())
        .collect();
    delete(&app, &scope, &ids).await?;
    Ok(Json(json!({ "message": "Traces deleted successfully" })).into_response())
}

async fn delete(app: &App, scope: &ProjectScope, ids: &[TraceId]) -> Result<()> {
    traces::delete_all(app, scope, ids).await?;
    Ok(())
}
