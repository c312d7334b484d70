//! `POST /api/v1/gpu-prices`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::cost::{GpuPrice, GpuPriceDraft};
use domain::pattern::NamePattern;
use service::{App, gpu_prices};

use crate::error::Result;
use crate::extract::{Body, Caller, wrong};
use crate::shape::GpuPriceRow;

/// Sets a price of GPUs.
pub(crate) async fn create_gpu_price(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["model", "provider", "instance", "usd_per_gpu_hour", "gpus"])?;
    let pattern = |field| Ok::<_, domain::Fault>(body.text_or_null(field)?.map(NamePattern::new));
    let gpus = body.count("gpus")?.unwrap_or(1);
    let usd = body.amount("usd_per_gpu_hour")?;
    let usd = usd.ok_or_else(|| wrong("usd_per_gpu_hour", "give US dollars such as \"2.50\""))?;
    let draft = GpuPriceDraft {
        model: NamePattern::new(body.text("model")?.unwrap_or_default()),
        provider: pattern("provider")?,
        instance: pattern("instance")?,
        price: GpuPrice {
            usd_per_gpu_hour: usd.0,
            gpus: u32::try_from(gpus).unwrap_or(u32::MAX),
        },
    };
    let price = gpu_prices::create(&app, &scope, draft).await?;
    Ok((StatusCode::CREATED, Json(GpuPriceRow::from(&price))).into_response())
}
