//! `POST /api/v1/prices`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::cost::PriceDraft;
use service::{App, prices};

use super::changed;
use crate::error::Result;
use crate::extract::{Body, Caller};
use crate::shape::PriceRow;

/// Sets a price.
pub(crate) async fn create_price(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    let draft = changed(PriceDraft::default(), &body)?;
    let price = prices::create(&app, &scope, draft).await?;
    Ok((StatusCode::CREATED, Json(PriceRow::from(&price))).into_response())
}
