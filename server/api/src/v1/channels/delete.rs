//! `DELETE /api/v1/channels/{channel_id}`

use axum::extract::State;
use axum::http::StatusCode;
use service::App;
use service::alerts::channels;

use crate::error::Result;
use crate::extract::{Caller, PathChannel};

/// Deletes a channel.
pub(crate) async fn delete_channel(
    State(app): State<App>,
    Caller(scope): Caller,
    PathChannel(id): PathChannel,
) -> Result<StatusCode> {
    channels::delete(&app, &scope, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
