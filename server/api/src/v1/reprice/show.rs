//! `GET /api/v1/reprice/{reprice_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, reprice};

use crate::error::Result;
use crate::extract::{Caller, PathReprice};
use crate::shape::RepriceShape;

/// How far it is.
pub(crate) async fn show_reprice(
    State(app): State<App>,
    Caller(scope): Caller,
    PathReprice(id): PathReprice,
) -> Result<Response> {
    let found = reprice::show(&app, &scope, id).await?;
    Ok(Json(RepriceShape::from(&found)).into_response())
}
