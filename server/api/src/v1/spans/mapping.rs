//! `GET /api/v1/spans/{span_id}/mapping`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use service::{App, spans};

use crate::error::Result;
use crate::extract::{Caller, PathSpan};

/// How a span was read: which key gave which field, which were looked for, what was not used.
pub(crate) async fn show_mapping(
    State(app): State<App>,
    Caller(scope): Caller,
    PathSpan(span_id): PathSpan,
) -> Result<Response> {
    let span = spans::find(&app, &scope, &span_id).await?;
    let span = span.ok_or_else(|| Fault::not_found(format!("no span {span_id}")))?;
    Ok(Json(spans::explain(&app, &span)).into_response())
}
