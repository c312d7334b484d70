//! `GET /api/v1/scrape-targets/{scrape_target_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, scrape_targets};

use crate::error::Result;
use crate::extract::{Caller, PathScrapeTarget};
use crate::shape::ScrapeTargetRow;

/// One target.
pub(crate) async fn show_scrape_target(
    State(app): State<App>,
    Caller(scope): Caller,
    PathScrapeTarget(id): PathScrapeTarget,
) -> Result<Response> {
    let target = scrape_targets::show(&app, &scope, id).await?;
    Ok(Json(ScrapeTargetRow::from(&target)).into_response())
}
