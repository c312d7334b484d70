//! What handlers take from requests; whatever is wrong with it is a fault that names it.

/// What an address may hold.
pub(crate) mod address;
/// The `filter=` parameter.
mod conditions;
/// Filters of spans and traces.
mod filter;
/// Query parameters.
mod params;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::{Fault, TraceId};
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

/// The trace in the path.
pub(crate) struct PathTrace(pub(crate) TraceId);

impl FromRequestParts<App> for PathTrace {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let wrong = |why: String| ApiError(Fault::invalid(why).on_field("trace_id"));
        let params = RawPathParams::from_request_parts(parts, app)
            .await
            .map_err(|error| wrong(error.body_text()))?;
        let text = params.iter().find(|(name, _)| *name == "trace_id");
        let (_, text) = text.ok_or_else(|| wrong("the path names no trace".to_owned()))?;
        TraceId::from_text(text)
            .map(PathTrace)
            .map_err(|error| wrong(error.to_string()))
    }
}
