//! `DELETE /api/v1/users/{user}`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use service::{App, deletions};

use super::DeletionShape;
use crate::error::Result;
use crate::extract::{Caller, PathUser};

/// Forgets a user.
pub(crate) async fn delete_user(
    State(app): State<App>,
    Caller(scope): Caller,
    PathUser(user): PathUser,
) -> Result<Response> {
    let asked = deletions::ask(&app, &scope, &user).await?;
    Ok((StatusCode::ACCEPTED, Json(DeletionShape::from(&asked))).into_response())
}
