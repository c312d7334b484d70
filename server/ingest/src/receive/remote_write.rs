//! Prometheus remote write, 1.0 and 2.0: `POST /api/v1/metrics/write`.
//!
//! Answers by the specifications: 204 when all is durable; 400 when something in it cannot be used, with the rest durable
//! (senders do not send it again); 415 for another message type; 429 and 5xx to come again. Of 2.0 the answer
//! says how much was written.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use domain::{Code, Fault};
use serde_json::json;
use service::App;
use service::auth::Needs;

use super::body::{self, Compression, Received};
use super::{authorization, measure, status};
use crate::aside::aside;
use crate::decode::Encoding;
use crate::decode::remote_write::Version;
use crate::pipeline::{self, RemotelyWritten};

const SAMPLES: HeaderName = HeaderName::from_static("x-prometheus-remote-write-samples-written");
const HISTOGRAMS: HeaderName =
    HeaderName::from_static("x-prometheus-remote-write-histograms-written");
const EXEMPLARS: HeaderName =
    HeaderName::from_static("x-prometheus-remote-write-exemplars-written");
/// The message of 2.0, as the content type names it.
const MESSAGE_TWO: &str = "io.prometheus.write.v2.Request";
/// The message of 1.0, likewise; the default.
const MESSAGE_ONE: &str = "prometheus.WriteRequest";

/// The route.
pub fn router(_: &App) -> Router<App> {
    Router::new().route("/api/v1/metrics/write", post(write_metrics))
}

async fn write_metrics(State(app): State<App>, request: Request) -> Response {
    let version = version_of(request.headers());
    let outcome = async {
        let received = receive(&app, request).await?;
        pipeline::ingest_remote_write(&app, version?, received).await
    };
    match measure::remote_write(&app, outcome.await) {
        Ok(outcome) => answer(&outcome),
        Err(fault) => refuse(&fault),
    }
}

async fn receive(app: &App, request: Request) -> Result<Received, Fault> {
    let limit = app.settings().max_body_bytes;
    let (parts, body) = request.into_parts();
    let source = body::lingering_source(body);
    let header = authorization(&parts.headers);
    let scope = service::auth::authenticate_key(app, header, Needs::INGEST).await?;
    version_of(&parts.headers)?;
    let encoding = parts.headers.get(header::CONTENT_ENCODING);
    if encoding.is_none_or(|value| !value.as_bytes().eq_ignore_ascii_case(b"snappy")) {
        let message = "content encoding must be snappy";
        return Err(Fault::new(Code::Unsupported, message));
    }
    let (packed, held) =
        body::read(source, Compression::Identity, limit, scope.project_id()).await?;
    let is_big = packed.len() > 64 * 1024;
    let body = aside(is_big, async move { unpacked(&packed, limit) }).await?;
    Ok(Received {
        scope,
        encoding: Encoding::Protobuf,
        body,
        held,
    })
}

/// The block format of Snappy, which begins with the length of what comes out.
fn unpacked(packed: &[u8], limit: u64) -> Result<Vec<u8>, Fault> {
    let wrong = |error| {
        Fault::invalid("the body is not compressed with Snappy's block format").because(error)
    };
    let length = snap::raw::decompress_len(packed).map_err(wrong)?;
    if length as u64 > limit {
        return Err(body::too_large(limit));
    }
    // No byte of Snappy makes more than 64; what says more would only take memory.
    if length / 64 > packed.len() {
        return Err(Fault::invalid("the body promises more than it can hold"));
    }
    snap::raw::Decoder::new()
        .decompress_vec(packed)
        .map_err(wrong)
}

/// Which message it is, by the content type.
fn version_of(headers: &HeaderMap) -> Result<Version, Fault> {
    let unsupported = || {
        let message = format!(
            "content type must be application/x-protobuf, with proto={MESSAGE_TWO} for 2.0"
        );
        Fault::new(Code::Unsupported, message)
    };
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let mut parts = content_type
        .ok_or_else(unsupported)?
        .split(';')
        .map(str::trim);
    if !parts
        .next()
        .is_some_and(|media| media.eq_ignore_ascii_case("application/x-protobuf"))
    {
        return Err(unsupported());
    }
    let message = parts
        .find_map(|part| part.strip_prefix("proto="))
        .map(|text| text.trim_matches('"'));
    match message {
        None | Some(MESSAGE_ONE) => Ok(Version::One),
        Some(MESSAGE_TWO) => Ok(Version::Two),
        Some(_) => Err(unsupported()),
    }
}

fn answer(outcome: &RemotelyWritten) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(SAMPLES, HeaderValue::from(outcome.written.samples));
    headers.insert(HISTOGRAMS, HeaderValue::from(outcome.written.histograms));
    headers.insert(EXEMPLARS, HeaderValue::from(0));
    if outcome.rejected.count == 0 {
        return (StatusCode::NO_CONTENT, headers).into_response();
    }
    let reason = outcome.rejected.reason.as_deref().unwrap_or_default();
    let detail = format!("{} values cannot be used: {reason}", outcome.rejected.count);
    (headers, problem(StatusCode::BAD_REQUEST, &detail)).into_response()
}

fn refuse(fault: &Fault) -> Response {
    status::log(fault);
    let mut headers = status::retry_after(fault);
    headers.insert(SAMPLES, HeaderValue::from(0));
    headers.insert(HISTOGRAMS, HeaderValue::from(0));
    headers.insert(EXEMPLARS, HeaderValue::from(0));
    if fault.code == Code::Unauthenticated {
        let basic = HeaderValue::from_static("Basic realm=\"triaxis\"");
        headers.insert(header::WWW_AUTHENTICATE, basic);
    }
    (
        headers,
        problem(status::http_status(fault.code), &fault.message),
    )
        .into_response()
}

/// RFC 9457, as all of `/api/v1`.
fn problem(status: StatusCode, detail: &str) -> Response {
    let title = status.canonical_reason().unwrap_or_default();
    let body =
        json!({"type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail});
    let media = [(header::CONTENT_TYPE, "application/problem+json")];
    (status, media, Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_told_by_the_content_type() {
        let version = |content_type: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, content_type.parse().unwrap());
            version_of(&headers).ok()
        };
        assert_eq!(version("application/x-protobuf"), Some(Version::One));
        assert_eq!(
            version("application/x-protobuf;proto=prometheus.WriteRequest"),
            Some(Version::One)
        );
        assert_eq!(
            version("application/x-protobuf; proto=io.prometheus.write.v2.Request"),
            Some(Version::Two)
        );
        assert_eq!(version("application/x-protobuf;proto=else"), None);
        assert_eq!(version("application/json"), None);
    }

    #[test]
    fn a_small_body_that_promises_much_takes_no_memory() {
        let promise = [0x80, 0x80, 0x80, 0x08, 0x00];
        assert_eq!(unpacked(&promise, 1 << 30).unwrap_err().code, Code::Invalid);
        assert_eq!(
            unpacked(&promise, 1 << 10).unwrap_err().code,
            Code::TooLarge
        );
        let packed = snap::raw::Encoder::new()
            .compress_vec(b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
            .unwrap();
        assert_eq!(unpacked(&packed, 1 << 10).unwrap().len(), 34);
    }
}
