//! `POST /api/v1/deletions`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::deletion::DeletionState;
use serde::Serialize;
use service::{App, deletions};

use crate::error::Result;
use crate::extract::{Body, Caller, wrong};

#[derive(Serialize)]
struct Asked<'a> {
    user_id: &'a str,
    id: String,
    state: DeletionState,
}

/// Forgets many users.
pub(crate) async fn create_deletions(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["user_ids"])?;
    let users = body.given_texts("user_ids")?;
    let users = users.ok_or_else(|| wrong("user_ids", "name at least one"))?;
    let users: Vec<String> = users.into_iter().map(str::to_owned).collect();
    let asked = deletions::ask_all(&app, &scope, &users).await?;
    let data: Vec<Asked<'_>> = asked
        .iter()
        .map(|(user_id, deletion)| Asked {
            user_id,
            id: deletion.id.to_string(),
            state: deletion.state,
        })
        .collect();
    let body = serde_json::json!({ "data": data });
    Ok((StatusCode::ACCEPTED, Json(body)).into_response())
}
