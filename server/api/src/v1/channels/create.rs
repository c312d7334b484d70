//! `POST /api/v1/channels`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::alert::channel::ChannelKind;
use service::App;
use service::alerts::channels;

use super::draft;
use crate::error::Result;
use crate::extract::{Body, Caller, wrong};
use crate::shape::ChannelRow;

/// Makes a channel.
pub(crate) async fn create_channel(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["name", "kind", "url", "secret", "enabled", "prompts"])?;
    let kind = body.text("kind")?.and_then(ChannelKind::from_name);
    let kind = kind.ok_or_else(|| wrong("kind", "give webhook, slack or alertmanager"))?;
    let channel = channels::create(&app, &scope, kind, draft(&body)?).await?;
    Ok((StatusCode::CREATED, Json(ChannelRow::from(&channel))).into_response())
}
