//! `DELETE /api/v1/prices/{price_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::{App, prices};

use crate::error::Result;
use crate::extract::{Caller, PathPrice};

/// Deletes a price.
pub(crate) async fn delete_price(
    State(app): State<App>,
    Caller(scope): Caller,
    PathPrice(id): PathPrice,
) -> Result<StatusCode> {
    prices::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
