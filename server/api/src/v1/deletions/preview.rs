//! `GET /api/v1/users/{user}/deletion-preview`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, deletions};

use crate::error::Result;
use crate::extract::{Caller, PathUser};

/// What there is of a user, by store.
pub(crate) async fn preview_deletion(
    State(app): State<App>,
    Caller(scope): Caller,
    PathUser(user): PathUser,
) -> Result<Response> {
    let counts = deletions::preview(&app, &scope, &user).await?;
    Ok(Json(serde_json::json!({ "counts": counts })).into_response())
}
