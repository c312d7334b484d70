//! One question to a target: within its time and size, through the only way out.

use std::time::Duration;

use async_compression::tokio::bufread::GzipDecoder;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use domain::scrape::AuthHint;
use http::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use store_postgres::scrape_targets::Held;
use tokio::io::AsyncReadExt;
use url::Url;

use super::place;
use crate::app::App;
use crate::outbound::{Answer, Content, Limits, Outgoing};

/// Most bytes of an answer, as it comes and decompressed.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Longest that a target may take, where its interval is not shorter.
const TIME: Duration = Duration::from_secs(10);
/// What is asked for, the first rather than the others.
const ACCEPTED: HeaderValue = HeaderValue::from_static(
    "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
);
/// Says how long we wait, as Prometheus does: some exporters heed it.
const PATIENCE: HeaderName = HeaderName::from_static("x-prometheus-scrape-timeout-seconds");

/// What came.
pub(super) struct Fetched {
    pub(super) content_type: String,
    pub(super) body: Bytes,
}

/// Asks a target.
///
/// # Errors
/// What is wrong, in words that hold nothing of the answer, the address or the credential.
pub(super) async fn fetch(app: &App, held: &Held) -> Result<Fetched, String> {
    let url = held.target.draft.url.parse::<Url>();
    let url = url.map_err(|_| "its address is none".to_owned())?;
    let interval = Duration::from_secs(u64::from(held.target.draft.interval_s));
    let time = TIME.min(interval);
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, ACCEPTED);
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(PATIENCE, HeaderValue::from(time.as_secs()));
    if let Some(value) = authorization(app, held)? {
        headers.insert(AUTHORIZATION, value);
    }
    let outgoing = Outgoing {
        method: Method::GET,
        url,
        headers,
        content: Content::Memory(Bytes::new()),
    };
    let limits = Limits {
        time,
        answer_bytes: MAX_BYTES,
    };
    let answer = app.outbound().send(outgoing, limits).await;
    read(answer.map_err(|error| error.to_string())?).await
}

fn authorization(app: &App, held: &Held) -> Result<Option<HeaderValue>, String> {
    let (Some(auth), Some(sealed)) = (&held.target.auth, &held.sealed) else {
        return Ok(None);
    };
    let vault = &app.settings().vault;
    let secret = vault.open(&place((held.project, held.target.id)), sealed);
    let secret = secret.map_err(|_| {
        "the stored credential does not open with this server's key: set it again".to_owned()
    })?;
    let text = match auth {
        AuthHint::Bearer => format!("Bearer {secret}"),
        AuthHint::Basic(user) => {
            let pair = BASE64_STANDARD.encode(format!("{user}:{secret}"));
            format!("Basic {pair}")
        }
    };
    let value = HeaderValue::from_bytes(text.as_bytes());
    let mut value = value.map_err(|_| "the credential fits into no header".to_owned())?;
    value.set_sensitive(true);
    Ok(Some(value))
}

async fn read(answer: Answer) -> Result<Fetched, String> {
    if answer.status.is_redirection() {
        let message = "it redirects, which is not followed: give the address that it leads to";
        return Err(message.to_owned());
    }
    if answer.status != StatusCode::OK {
        let status = answer.status.as_u16();
        return Err(format!("it answered with status {status}"));
    }
    let text = |name| {
        let value = answer.headers.get(name)?;
        value.to_str().ok().map(str::to_lowercase)
    };
    let body = match text(CONTENT_ENCODING).as_deref() {
        None | Some("identity") => answer.body,
        Some("gzip" | "x-gzip") => unpacked(&answer.body).await?,
        Some(_) => return Err("its answer is compressed in a way that was not asked for".into()),
    };
    Ok(Fetched {
        content_type: text(CONTENT_TYPE).unwrap_or_default(),
        body,
    })
}

/// Decompresses no more than may come.
async fn unpacked(packed: &[u8]) -> Result<Bytes, String> {
    let mut body = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    let mut unpacking = GzipDecoder::new(packed).take(most);
    if unpacking.read_to_end(&mut body).await.is_err() {
        return Err("its answer is no gzip, although it says so".to_owned());
    }
    if body.len() > MAX_BYTES {
        return Err("the answer is too long".to_owned());
    }
    Ok(body.into())
}
