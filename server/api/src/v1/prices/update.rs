//! `PATCH /api/v1/prices/{price_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, prices};

use super::changed;
use crate::error::Result;
use crate::extract::{Body, Caller, PathPrice};
use crate::shape::PriceRow;

/// Changes a price.
pub(crate) async fn update_price(
    State(app): State<App>,
    Caller(scope): Caller,
    PathPrice(id): PathPrice,
    body: Body,
) -> Result<Response> {
    let price = prices::update(&app, &scope, id, |draft| changed(draft, &body)).await?;
    Ok(Json(PriceRow::from(&price)).into_response())
}
