//! What stands in a path.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::{Fault, SpanId, TraceId};
use service::App;

use super::error::{Failure, Result};

/// The trace in the path.
pub(crate) struct PathTrace(pub(crate) TraceId);

/// The observation in the path.
pub(crate) struct PathObservation(pub(crate) SpanId);

/// The session in the path.
pub(crate) struct PathSession(pub(crate) String);

impl FromRequestParts<App> for PathTrace {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let text = id(parts, app).await?;
        // What is no id is the id of nothing.
        let missing = |_| Fault::not_found("Trace not found within authorized project");
        Ok(PathTrace(TraceId::from_text(&text).map_err(missing)?))
    }
}

impl FromRequestParts<App> for PathObservation {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let text = id(parts, app).await?;
        let missing = |_| Fault::not_found("Observation not found within authorized project");
        Ok(PathObservation(SpanId::from_text(&text).map_err(missing)?))
    }
}

impl FromRequestParts<App> for PathSession {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        Ok(PathSession(id(parts, app).await?))
    }
}

/// The one parameter of these paths.
async fn id(parts: &mut Parts, app: &App) -> Result<String> {
    let params = RawPathParams::from_request_parts(parts, app).await;
    let params = params.map_err(|error| Fault::invalid(error.body_text()))?;
    let id = params.iter().find(|(name, _)| *name == "id");
    Ok(id.map_or("", |(_, id)| id).to_owned())
}

/// The one parameter of a path, decoded once.
pub(crate) struct PathId(pub(crate) String);

impl FromRequestParts<App> for PathId {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, app).await;
        let params = params.map_err(|error| Fault::invalid(error.body_text()))?;
        let first = params.iter().next();
        Ok(PathId(first.map_or("", |(_, value)| value).to_owned()))
    }
}

/// The two parameters of a path, decoded once.
pub(crate) struct PathIds(pub(crate) String, pub(crate) String);

impl FromRequestParts<App> for PathIds {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, app).await;
        let params = params.map_err(|error| Fault::invalid(error.body_text()))?;
        let mut values = params.iter().map(|(_, value)| value.to_owned());
        let mut next = || values.next().unwrap_or_default();
        Ok(PathIds(next(), next()))
    }
}
