//! `DELETE /api/v1/gpu-prices/{gpu_price_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, gpu_prices};

use crate::error::Result;
use crate::extract::{Caller, PathGpuPrice};

/// Deletes a price of GPUs.
pub(crate) async fn delete_gpu_price(
    State(app): State<App>,
    Caller(scope): Caller,
    PathGpuPrice(id): PathGpuPrice,
) -> Result<StatusCode> {
    gpu_prices::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
