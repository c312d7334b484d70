//! `GET /api/v1/dashboards`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::{App, dashboards};

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::DashboardRow;
use crate::v1::page;

/// Dashboards: few enough for one page.
pub(crate) async fn list_dashboards(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let all = Page {
        data: dashboards::list(&app, &scope).await?,
        next_cursor: None,
    };
    page(("dashboards", &all), DashboardRow::from)
}
