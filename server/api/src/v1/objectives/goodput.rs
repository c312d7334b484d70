//! `GET /api/v1/goodput`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, objectives};

use crate::error::Result;
use crate::extract::{Caller, Params};
use crate::shape::GoodputReport;

/// Goodput between two instants.
pub(crate) async fn show_goodput(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let range = (params.time("from")?, params.time("to")?);
    let report = objectives::goodput(&app, &scope, range).await?;
    Ok(Json(GoodputReport::from(&report)).into_response())
}
