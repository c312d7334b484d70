//! What stands in a path.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::Fault;
use service::App;

use super::error::{Failure, Result};

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
