//! `GET /api/public/media/{mediaId}`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use service::{App, ProjectScope, media};

use super::existing_id;
use crate::langfuse::error::Result;
use crate::langfuse::path::PathId;
use crate::langfuse::time::Millis;
use crate::media::address;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MediaShape<'a> {
    media_id: &'a str,
    content_type: &'static str,
    content_length: u64,
    uploaded_at: Millis,
    url: String,
    url_expiry: Millis,
}

/// An attachment that is there, with the address from which its bytes are fetched.
pub(crate) async fn show_media(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    PathId(id): PathId,
) -> Result<Response> {
    let id = existing_id(&id)?;
    let found = media::show(&app, &scope, &id).await?;
    let shape = MediaShape {
        media_id: id.as_str(),
        content_type: found.media.media_type.as_str(),
        content_length: found.media.bytes,
        uploaded_at: Millis(found.media.stored_at),
        url: address(&app, &found.token),
        url_expiry: Millis(found.until),
    };
    Ok(Json(shape).into_response())
}
