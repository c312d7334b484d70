//! `POST /api/public/media`

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::{App, ProjectScope, media};

use super::draft;
use crate::langfuse::body::Body;
use crate::langfuse::error::Result;
use crate::media::address;

/// Announces an attachment, and says where its bytes are to be sent: nowhere, where they are there.
pub(crate) async fn create_media(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let announced = media::announce(&app, &scope, &draft::read(&body)?).await?;
    let url = announced.token.map(|token| address(&app, &token));
    let body = json!({ "mediaId": announced.id.as_str(), "uploadUrl": url });
    Ok((StatusCode::CREATED, Json(body)).into_response())
}
