//! What stands in a path.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::{ApiKeyId, Fault, OrganisationId, ProjectId, SpanId, TraceId};
use service::{App, external_ids};

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

/// The project in the path, with what follows its id: a UUID, or the text that the operator gave.
pub(crate) struct PathProject(pub(crate) ProjectId);

impl FromRequestParts<App> for PathProject {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let PathId(text) = PathId::from_request_parts(parts, app).await?;
        Ok(PathProject(external_ids::project_id(&text)))
    }
}

/// The organisation in the path, likewise.
pub(crate) struct PathOrganisation(pub(crate) OrganisationId);

impl FromRequestParts<App> for PathOrganisation {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let PathId(text) = PathId::from_request_parts(parts, app).await?;
        Ok(PathOrganisation(external_ids::organisation_id(&text)))
    }
}

/// The key in the path, below what it is of.
pub(crate) struct PathKey(pub(crate) ApiKeyId);

impl FromRequestParts<App> for PathKey {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, app).await;
        let params = params.map_err(|error| Fault::invalid(error.body_text()))?;
        let second = params.iter().nth(1);
        let text = second.map_or("", |(_, value)| value);
        // What is no id is the id of no key.
        let missing = |_| Fault::not_found("API key not found");
        Ok(PathKey(text.parse().map_err(missing)?))
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
