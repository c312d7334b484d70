//! `GET /api/v1/gpu-costs`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, gpu_prices};

use crate::error::Result;
use crate::extract::{Caller, Params};
use crate::shape::GpuCosts;

/// What GPUs yielded between two instants.
pub(crate) async fn show_gpu_costs(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let range = (params.time("from")?, params.time("to")?);
    let report = gpu_prices::report(&app, &scope, range).await?;
    Ok(Json(GpuCosts::from(&report)).into_response())
}
