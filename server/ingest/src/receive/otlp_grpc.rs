//! OTLP over gRPC: the `Export` calls of the three OpenTelemetry services, and the health check.
//!
//! A unary call is a POST over HTTP/2 whose body is one length-prefixed message and whose outcome
//! stands in the trailers. That little is done here, so that gRPC and HTTP bodies are read by the
//! same code within the same limits (docs/decisions/0004-otlp-receive.md).

use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use domain::{Code, Fault};
use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;
use service::App;
use service::auth::Needs;
use tokio::io::AsyncReadExt;

use super::body::{self, Compression, Received, Source};
use super::{authorization, measure, status};
use crate::decode::{Encoding, Rejected};
use crate::pipeline;

const GRPC_ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");
const GRPC_ACCEPT_ENCODING: HeaderName = HeaderName::from_static("grpc-accept-encoding");
const MEDIA_TYPE: &str = "application/grpc";

/// `HealthCheckResponse { status: SERVING }`.
const SERVING: &[u8] = &[0x08, 0x01];

/// The routes: one path a method.
pub fn router(_: &App) -> Router<App> {
    Router::new()
        .route(
            "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
            post(export_traces),
        )
        .route(
            "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
            post(export_logs),
        )
        .route(
            "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
            post(export_metrics),
        )
        .route("/grpc.health.v1.Health/Check", post(check_health))
        .fallback(unknown_method)
}

async fn export_traces(State(app): State<App>, request: Request) -> Response {
    let outcome = async {
        let received = receive(&app, request).await?;
        pipeline::ingest_traces(&app, received).await
    };
    answer(measure::traces(&app, outcome.await))
}

async fn export_logs(State(app): State<App>, request: Request) -> Response {
    let outcome = async {
        let received = receive(&app, request).await?;
        pipeline::ingest_logs(&app, received).await
    };
    answer(measure::logs(&app, outcome.await))
}

async fn export_metrics(State(app): State<App>, request: Request) -> Response {
    let outcome = async {
        let received = receive(&app, request).await?;
        pipeline::ingest_metrics(&app, received).await
    };
    answer(measure::metrics(&app, outcome.await))
}

async fn check_health() -> Response {
    reply(SERVING)
}

async fn unknown_method() -> Response {
    fault(&Fault::new(Code::Unsupported, "no such gRPC method here"))
}

async fn receive(app: &App, request: Request) -> Result<Received, Fault> {
    let limit = app.settings().max_body_bytes;
    let (parts, body) = request.into_parts();
    let text_of = |name| {
        parts
            .headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    if !text_of(header::CONTENT_TYPE).is_some_and(|media_type| media_type.starts_with(MEDIA_TYPE)) {
        return Err(Fault::new(
            Code::Unsupported,
            "content type must be application/grpc",
        ));
    }
    let header = authorization(&parts.headers);
    let scope = service::auth::authenticate_key(app, header, Needs::INGEST).await?;
    let compression = Compression::from_header(text_of(GRPC_ENCODING).unwrap_or_default())?;
    let Message {
        source,
        length,
        compression,
    } = message(body::source(body), compression, limit).await?;
    let (body, held) = body::read(source, compression, limit, scope.project_id()).await?;
    // Compressed messages tell by themselves that they broke off.
    if compression == Compression::Identity && body.len() as u64 != length {
        return Err(Fault::invalid("the gRPC message broke off"));
    }
    Ok(Received {
        scope,
        encoding: Encoding::Protobuf,
        body,
        held,
    })
}

struct Message {
    source: Source,
    length: u64,
    compression: Compression,
}

/// The one message of a unary call: a flag (compressed or not), four bytes of length, the bytes.
async fn message(
    mut source: Source,
    compression: Compression,
    limit: u64,
) -> Result<Message, Fault> {
    let broken = |error| body::broken("the gRPC message broke off", error);
    let compressed = source.read_u8().await.map_err(broken)? & 1 == 1;
    let length = u64::from(source.read_u32().await.map_err(broken)?);
    if length > limit {
        return Err(body::too_large(limit));
    }
    let compression = if compressed {
        compression
    } else {
        Compression::Identity
    };
    Ok(Message {
        source: Box::pin(source.take(length)),
        length,
        compression,
    })
}

fn answer(outcome: Result<Rejected, Fault>) -> Response {
    match outcome {
        // The three responses have the same fields; names stand in JSON only.
        Ok(rejected) => reply(&status::export_response(Encoding::Protobuf, &rejected, "")),
        Err(error) => fault(&error),
    }
}

fn reply(message: &[u8]) -> Response {
    let mut framed = vec![0];
    framed.extend_from_slice(
        &u32::try_from(message.len())
            .unwrap_or(u32::MAX)
            .to_be_bytes(),
    );
    framed.extend_from_slice(message);
    let mut trailers = HeaderMap::new();
    trailers.insert(status::GRPC_STATUS, HeaderValue::from_static("0"));
    let frames: [Result<_, Infallible>; 2] = [
        Ok(Frame::data(Bytes::from(framed))),
        Ok(Frame::trailers(trailers)),
    ];
    let body = Body::new(StreamBody::new(stream::iter(frames)));
    (StatusCode::OK, headers(), body).into_response()
}

fn fault(fault: &Fault) -> Response {
    let mut headers = headers();
    headers.extend(status::grpc_fault(fault));
    (StatusCode::OK, headers, Body::empty()).into_response()
}

fn headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    headers.insert(
        GRPC_ACCEPT_ENCODING,
        HeaderValue::from_static("identity,gzip,zstd,deflate"),
    );
    headers
}
