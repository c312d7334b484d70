//! `GET /api/v1/gpu-prices`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::{App, gpu_prices};

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::GpuPriceRow;
use crate::v1::page;

/// Prices of GPUs: few enough for one page.
pub(crate) async fn list_gpu_prices(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let all = Page {
        data: gpu_prices::list(&app, &scope).await?,
        next_cursor: None,
    };
    page(("gpu_prices", &all), GpuPriceRow::from)
}
