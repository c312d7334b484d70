//! `DELETE /api/v1/scrape-targets/{scrape_target_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, scrape_targets};

use crate::error::Result;
use crate::extract::{Caller, PathScrapeTarget};

/// Deletes a target.
pub(crate) async fn delete_scrape_target(
    State(app): State<App>,
    Caller(scope): Caller,
    PathScrapeTarget(id): PathScrapeTarget,
) -> Result<StatusCode> {
    scrape_targets::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
