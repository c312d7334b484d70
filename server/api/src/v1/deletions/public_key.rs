//! `GET /api/v1/deletions/public-key`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::{App, deletions};

use crate::error::Result;
use crate::extract::Caller;

/// What certificates are checked with.
pub(crate) async fn show_public_key(State(app): State<App>, _: Caller) -> Result<Response> {
    let key = deletions::public_key(&app)?;
    Ok(Json(serde_json::json!({ "algorithm": "Ed25519", "public_key": key })).into_response())
}
