//! `GET /api/v1/prices`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::{App, prices};

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::PriceRow;
use crate::v1::page;

/// The project's own prices: few enough for one page.
pub(crate) async fn list_prices(State(app): State<App>, Caller(scope): Caller) -> Result<Response> {
    let all = Page {
        data: prices::list(&app, &scope).await?,
        next_cursor: None,
    };
    page(("prices", &all), PriceRow::from)
}
