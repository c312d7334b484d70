//! What handlers take from requests; whatever is wrong with it is a fault that names it.

/// The `filter=` parameter.
mod conditions;
/// Filters of spans and traces.
mod filter;
/// Query parameters.
mod params;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::{Fault, SpanId, TraceId};
use service::{App, ProjectScope};

use crate::error::ApiError;

pub(crate) use filter::{Fields, Listing, StreamFilter};

/// The project of the key that [`crate::auth::require_key`] let in.
pub(crate) struct Caller(pub(crate) ProjectScope);

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let scope = parts.extensions.get::<ProjectScope>().copied();
        let scope = scope.ok_or_else(|| Fault::internal("route of a project without a key check"));
        Ok(Caller(scope?))
    }
}

/// The span in the path.
pub(crate) struct PathSpan(pub(crate) SpanId);

impl FromRequestParts<App> for PathSpan {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let text = in_path(parts, app, "span_id").await?;
        let wrong = |why: String| ApiError(Fault::invalid(why).on_field("span_id"));
        SpanId::from_text(&text)
            .map(PathSpan)
            .map_err(|error| wrong(error.to_string()))
    }
}

async fn in_path(parts: &mut Parts, app: &App, name: &str) -> Result<String, ApiError> {
    let wrong = |why: String| ApiError(Fault::invalid(why).on_field(name));
    let params = RawPathParams::from_request_parts(parts, app)
        .await
        .map_err(|error| wrong(error.body_text()))?;
    let text = params.iter().find(|(known, _)| *known == name);
    let (_, text) = text.ok_or_else(|| wrong(format!("the path names no {name}")))?;
    Ok(text.to_owned())
}

/// The trace in the path.
pub(crate) struct PathTrace(pub(crate) TraceId);

impl FromRequestParts<App> for PathTrace {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let wrong = |why: String| ApiError(Fault::invalid(why).on_field("trace_id"));
        let text = in_path(parts, app, "trace_id").await?;
        TraceId::from_text(&text)
            .map(PathTrace)
            .map_err(|error| wrong(error.to_string()))
    }
}
