//! OTLP over HTTP: `/v1/traces`, `/v1/logs`, `/v1/metrics`, and the same where Langfuse has them.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use domain::{Code, Fault};
use service::App;
use service::auth::Needs;

use super::body::{self, Compression, Received};
use super::{authorization, measure, status};
use crate::decode::{Encoding, Rejected, Signal};
use crate::pipeline;

/// The routes.
pub fn router(_: &App) -> Router<App> {
    Router::new()
        .route("/v1/traces", post(post_traces))
        .route("/v1/logs", post(post_logs))
        .route("/v1/metrics", post(post_metrics))
        .route("/api/public/otel/v1/traces", post(post_traces))
        .route("/api/public/otel/v1/logs", post(post_logs))
        .route("/api/public/otel/v1/metrics", post(post_metrics))
}

async fn post_traces(State(app): State<App>, request: Request) -> Response {
    let encoding = encoding_of(request.headers());
    let outcome = async {
        let received = receive(&app, request).await?;
        pipeline::ingest_traces(&app, received).await
    };
    let outcome = measure::traces(&app, outcome.await);
    answer(encoding, Signal::Traces, outcome)
}

async fn post_logs(State(app): State<App>, request: Request) -> Response {
    let encoding = encoding_of(request.headers());
    let outcome = async {
        let received = receive(&app, request).await?;
        pipeline::ingest_logs(&app, received).await
    };
    let outcome = measure::logs(&app, outcome.await);
    answer(encoding, Signal::Logs, outcome)
}

async fn post_metrics(State(app): State<App>, request: Request) -> Response {
    let encoding = encoding_of(request.headers());
    let outcome = async {
        let received = receive(&app, request).await?;
        pipeline::ingest_metrics(&app, received).await
    };
    let outcome = measure::metrics(&app, outcome.await);
    answer(encoding, Signal::Metrics, outcome)
}

async fn receive(app: &App, request: Request) -> Result<Received, Fault> {
    let limit = app.settings().max_body_bytes;
    let (parts, body) = request.into_parts();
    let source = body::lingering_source(body);
    let text_of = |name| {
        parts
            .headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    let header = authorization(&parts.headers);
    let scope = service::auth::authenticate_key(app, header, Needs::INGEST).await?;
    let encoding = encoding_of(&parts.headers).ok_or_else(unsupported)?;
    let compression =
        Compression::from_header(text_of(header::CONTENT_ENCODING).unwrap_or_default())?;
    let announced = text_of(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(body::too_large(limit));
    }
    let (body, held) = body::read(source, compression, limit, scope.project_id()).await?;
    Ok(Received {
        scope,
        encoding,
        body,
        held,
    })
}

fn answer(
    encoding: Option<Encoding>,
    signal: Signal,
    outcome: Result<Rejected, Fault>,
) -> Response {
    let encoding = encoding.unwrap_or(Encoding::Json);
    match outcome {
        Ok(rejected) => {
            let body = status::export_response(encoding, &rejected, status::rejected_field(signal));
            (
                [(header::CONTENT_TYPE, status::content_type(encoding))],
                body,
            )
                .into_response()
        }
        Err(fault) => status::http_fault(encoding, &fault),
    }
}

/// Parameters and letter case of the media type do not matter.
fn encoding_of(headers: &HeaderMap) -> Option<Encoding> {
    let content_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    match media_type.to_ascii_lowercase().as_str() {
        "application/x-protobuf" | "application/protobuf" => Some(Encoding::Protobuf),
        "application/json" => Some(Encoding::Json),
        _ => None,
    }
}

fn unsupported() -> Fault {
    Fault::new(
        Code::Unsupported,
        "content type must be application/x-protobuf or application/json",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_case_of_the_content_type_do_not_matter() {
        let encoding = |content_type: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, content_type.parse().unwrap());
            encoding_of(&headers)
        };
        assert_eq!(
            encoding("application/json; charset=utf-8"),
            Some(Encoding::Json)
        );
        assert_eq!(encoding("Application/JSON"), Some(Encoding::Json));
        assert_eq!(
            encoding("application/x-protobuf;proto=x"),
            Some(Encoding::Protobuf)
        );
        assert_eq!(encoding("text/plain"), None);
        assert_eq!(encoding_of(&HeaderMap::new()), None);
    }
}
