//! `GET /api/v1/unpriced-models`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::{App, prices};

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::UnpricedRow;
use crate::v1::page;

/// Models without a price.
pub(crate) async fn list_unpriced_models(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let all = Page {
        data: prices::unpriced(&app, &scope).await?,
        next_cursor: None,
    };
    page(("prices", &all), UnpricedRow::from)
}
