//! `POST /api/v1/reprice`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::{Fault, Timestamp};
use service::{App, reprice};

use crate::error::Result;
use crate::extract::{Body, Caller, wrong};
use crate::shape::RepriceShape;

/// Asks for costs to be computed anew.
pub(crate) async fn create_reprice(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["from", "to", "filter"])?;
    let mut filter = body.filter()?;
    filter.from = Some(needed(&body, "from")?);
    filter.to = Some(needed(&body, "to")?);
    let created = reprice::create(&app, &scope, filter).await?;
    Ok((StatusCode::ACCEPTED, Json(RepriceShape::from(&created))).into_response())
}

fn needed(body: &Body, field: &str) -> std::result::Result<Timestamp, Fault> {
    let time = body.time(field)?.flatten();
    time.ok_or_else(|| wrong(field, "give a time such as 2026-01-05T00:00:00Z"))
}
