//! `GET /api/v1/users/{user}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::rollup::{RollupBy, RollupQuery};
use service::{App, rollups as lists};

use crate::error::Result;
use crate::extract::{Caller, Params, PathUser};
use crate::shape::UserRow;
use crate::v1::rollups::range;

/// One user with what their traces of the range come to.
pub(crate) async fn show_user(
    State(app): State<App>,
    Caller(scope): Caller,
    PathUser(id): PathUser,
    params: Params,
) -> Result<Response> {
    let missing = || Fault::not_found("there is no user of this id within the range");
    if id.contains('\0') {
        return Err(missing().into());
    }
    let wanted = RollupQuery {
        ids: vec![id.clone()],
        ..RollupQuery::new(RollupBy::User, range(&params)?, 1)
    };
    let ids = [id.as_str()];
    let (found, seen) = tokio::try_join!(
        lists::list(&app, &scope, &wanted),
        lists::seen(&app, &scope, &ids),
    )?;
    let row = found.rows.first().ok_or_else(missing)?;
    let shape = UserRow::new(row, seen.get(&id).copied());
    Ok(Json(shape).into_response())
}
