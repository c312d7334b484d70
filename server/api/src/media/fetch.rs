//! `GET /api/media/{token}`

use std::io::{self, SeekFrom};

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, RANGE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::media::{MediaId, MediaType, Shown};
use futures_util::{Stream, stream};
use service::App;
use service::media::{self, Grant, Purpose};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use super::range::{Asked, Part, asked};
use crate::error::Result;
use crate::sending;

/// Bytes of a file that are in memory at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// What keeps a page that is made of it from running anything, and from being shown within another.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; sandbox; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (ACCEPT_RANGES, "bytes"),
];

/// Gives the bytes that the address is for, or a part of them.
pub(crate) async fn fetch_media(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let grant = media::grant(&app, &token, Purpose::Fetch)?;
    let file = media::fetch(&app, &grant).await?;
    let length = file.metadata().await.map_err(Fault::internal)?.len();
    let wanted = headers.get(RANGE).and_then(|value| value.to_str().ok());
    let mut response = match asked(wanted, length) {
        Asked::Whole => part_of(file, Part { first: 0, length }).await?,
        Asked::Part(part) => {
            let mut response = part_of(file, part).await?;
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let last = part.first + part.length - 1;
            insert(
                &mut response,
                CONTENT_RANGE,
                &format!("bytes {}-{last}/{length}", part.first),
            );
            response
        }
        Asked::Nothing => {
            let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
            insert(&mut response, CONTENT_RANGE, &format!("bytes */{length}"));
            response
        }
    };
    describe(&mut response, &grant);
    Ok(response)
}

fn describe(response: &mut Response, grant: &Grant) {
    let media_type = grant.media_type;
    let is_shown = media_type.shown() != Shown::File;
    insert(response, CONTENT_TYPE, content_type(media_type));
    let disposition = if is_shown { "inline" } else { "attachment" };
    let (id, extension) = (MediaId::of(&grant.checksum), media_type.extension());
    let name = format!("{disposition}; filename=\"{id}.{extension}\"");
    insert(response, CONTENT_DISPOSITION, &name);
    // The same address always gives the same bytes, to whoever has it; one of a public trace as long as that is public.
    let kept = match grant.public_trace {
        None => "private, max-age=3600, immutable",
        Some(_) => "private, no-store",
    };
    insert(response, CACHE_CONTROL, kept);
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
}

/// What can run or pretend to be a page has no type of its own.
fn content_type(media_type: MediaType) -> &'static str {
    match media_type.shown() {
        Shown::File => "application/octet-stream",
        Shown::Image | Shown::Audio | Shown::Video => media_type.as_str(),
    }
}

async fn part_of(mut file: File, part: Part) -> Result<Response> {
    file.seek(SeekFrom::Start(part.first))
        .await
        .map_err(Fault::internal)?;
    let body = sending::body(Box::pin(pieces(file, part.length)));
    let mut response = Body::into_response(body);
    insert(&mut response, CONTENT_LENGTH, &part.length.to_string());
    Ok(response)
}

fn pieces(file: File, length: u64) -> impl Stream<Item = io::Result<Bytes>> + Send {
    stream::try_unfold((file, length), async |(mut file, left)| {
        if left == 0 {
            return Ok(None);
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(PIECE_BYTES);
        let mut piece = vec![0; most];
        let read = file.read(&mut piece).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        piece.truncate(read);
        Ok(Some((Bytes::from(piece), (file, left - read as u64))))
    })
}

fn insert(response: &mut Response, name: HeaderName, value: &str) {
    // Made of digits, ids and names of types: always a header.
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}
