//! `POST /api/v1/channels/{channel_id}/test`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::App;
use service::alerts::channels;

use crate::error::Result;
use crate::extract::{Caller, PathChannel};

/// Sends a message that says it is a test; of the answer only the status is told.
pub(crate) async fn test_channel(
    State(app): State<App>,
    Caller(scope): Caller,
    PathChannel(id): PathChannel,
) -> Result<Response> {
    let attempt = channels::test(&app, &scope, id).await?;
    let body = json!({
        "taken": attempt.is_taken(),
        "status": attempt.status,
        "error": attempt.error,
    });
    Ok(Json(body).into_response())
}
