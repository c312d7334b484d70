//! `GET /api/v1/users`

use axum::extract::State;
use axum::response::Response;
use domain::rollup::RollupBy;
use service::{App, rollups as lists};

use crate::error::Result;
use crate::extract::{Caller, Params};
use crate::shape::UserRow;
use crate::v1::rollups::{page, wanted};

/// Users with what their traces of the range come to.
pub(crate) async fn list_users(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let wanted = wanted(RollupBy::User, &params)?;
    let found = lists::list(&app, &scope, &wanted).await?;
    let ids: Vec<&str> = found.rows.iter().map(|row| row.id.as_str()).collect();
    let seen = lists::seen(&app, &scope, &ids).await?;
    Ok(page((&wanted, &found), |row| {
        UserRow::new(row, seen.get(&row.id).copied())
    }))
}
