//! `PATCH /api/v1/scrape-targets/{scrape_target_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, scrape_targets};

use super::draft::changed;
use crate::error::Result;
use crate::extract::{Body, Caller, PathScrapeTarget};
use crate::shape::ScrapeTargetRow;

/// Changes a target.
pub(crate) async fn update_scrape_target(
    State(app): State<App>,
    Caller(scope): Caller,
    PathScrapeTarget(id): PathScrapeTarget,
    body: Body,
) -> Result<Response> {
    let change = |draft| changed(draft, &body);
    let target = scrape_targets::update(&app, &scope, id, change).await?;
    Ok(Json(ScrapeTargetRow::from(&target)).into_response())
}
