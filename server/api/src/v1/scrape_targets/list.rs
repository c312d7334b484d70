//! `GET /api/v1/scrape-targets`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::{App, scrape_targets};

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::ScrapeTargetRow;
use crate::v1::page;

/// Targets by name: few enough for one page.
pub(crate) async fn list_scrape_targets(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let all = Page {
        data: scrape_targets::list(&app, &scope).await?,
        next_cursor: None,
    };
    page(("scrape_targets", &all), ScrapeTargetRow::from)
}
