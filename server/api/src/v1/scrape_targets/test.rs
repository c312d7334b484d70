//! `POST /api/v1/scrape-targets/{scrape_target_id}/test`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, scrape_targets};

use crate::error::Result;
use crate::extract::{Caller, PathScrapeTarget};
use crate::shape::ScrapeOutcomeShape;

/// Asks a target now and tells what was found.
pub(crate) async fn test_scrape_target(
    State(app): State<App>,
    Caller(scope): Caller,
    PathScrapeTarget(id): PathScrapeTarget,
) -> Result<Response> {
    let outcome = scrape_targets::test(&app, &scope, id).await?;
    Ok(Json(ScrapeOutcomeShape::from(&outcome)).into_response())
}
