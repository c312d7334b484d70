//! `PATCH /api/v1/channels/{channel_id}`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use service::App;
use service::alerts::channels;

use super::draft;
use crate::error::Result;
use crate::extract::{Body, Caller, PathChannel};
use crate::shape::ChannelRow;

/// Changes a channel.
pub(crate) async fn update_channel(
    State(app): State<App>,
    Caller(scope): Caller,
    PathChannel(id): PathChannel,
    body: Body,
) -> Result<Response> {
    body.only(&["name", "url", "secret", "enabled", "prompts"])?;
    let channel = channels::update(&app, &scope, id, draft(&body)?).await?;
    Ok(Json(ChannelRow::from(&channel)).into_response())
}
