//! `PUT /api/media/{token}`

use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use domain::{Code, Fault};
use futures_util::{StreamExt, TryStreamExt};
use service::App;
use service::media::{self, Grant, Purpose};
use tokio::time::timeout;

use crate::error::Result;

/// How long a body that is not wanted is read and forgotten.
const LINGER: Duration = Duration::from_secs(5);

/// Takes the bytes that the address is for.
pub(crate) async fn send_media(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode> {
    let mut body = body.into_data_stream().map_err(io::Error::other);
    let taken = async {
        let grant = media::grant(&app, &token, Purpose::Send)?;
        check(&headers, &grant)?;
        media::receive(&app, &grant, &mut body).await
    };
    let taken = taken.await;
    if taken.is_err() {
        // A client reads its answer after it has sent its body: were the connection closed on what is
        // still coming, it would see no reason.
        tokio::spawn(timeout(LINGER, async move {
            while let Some(Ok(_)) = body.next().await {}
        }));
    }
    Ok(taken.map(|()| StatusCode::OK)?)
}

/// What the headers say must be what was announced, as far as they say it.
fn check(headers: &HeaderMap, grant: &Grant) -> std::result::Result<(), Fault> {
    let text = |name: &str| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    if text(CONTENT_ENCODING.as_str()).is_some_and(|coding| coding != "identity") {
        let message = "send the bytes as they are, without a content encoding";
        return Err(Fault::new(Code::Unsupported, message));
    }
    let type_of = |value: &str| {
        value
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
    };
    if text(CONTENT_TYPE.as_str()).is_some_and(|value| type_of(value) != grant.media_type.as_str())
    {
        return Err(Fault::invalid(
            "the content type is not the one that was announced",
        ));
    }
    if text(CONTENT_LENGTH.as_str()).is_some_and(|value| value.parse() != Ok(grant.bytes)) {
        return Err(Fault::invalid(
            "the content length is not the one that was announced",
        ));
    }
    let checksum = text("x-amz-checksum-sha256").map(domain::media::Checksum::from_base64);
    if checksum.is_some_and(|checksum| checksum != Some(grant.checksum)) {
        return Err(Fault::invalid(
            "the checksum is not the one that was announced",
        ));
    }
    Ok(())
}
