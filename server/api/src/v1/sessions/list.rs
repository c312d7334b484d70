//! `GET /api/v1/sessions`

use axum::extract::State;
use axum::response::Response;
use domain::rollup::RollupBy;
use service::{App, rollups as lists};

use crate::error::Result;
use crate::extract::{Caller, Params};
use crate::shape::SessionRow;
use crate::v1::rollups::{page, wanted};

/// Sessions with what their traces of the range come to.
pub(crate) async fn list_sessions(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let wanted = wanted(RollupBy::Session, &params)?;
    let found = lists::list(&app, &scope, &wanted).await?;
    Ok(page((&wanted, &found), SessionRow::new))
}
