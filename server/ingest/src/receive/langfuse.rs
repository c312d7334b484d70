//! `POST /api/public/ingestion`: batches of older Langfuse clients; and the routes that are older than
//! batches, with one thing in each request.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use domain::{Code, Fault};
use serde_json::json;
use service::App;

use super::body::{self, Compression, Received};
use super::{authorization, measure, status};
use crate::decode::Encoding;
use crate::langfuse::single::Single;
use crate::pipeline;

/// Largest body of a batch, in bytes: what the Langfuse API takes.
const MAX_BATCH_BYTES: u64 = 4_500_000;
/// Largest body about one thing, likewise.
const MAX_SINGLE_BYTES: u64 = 1_048_576;

/// The routes.
pub fn router(_: &App) -> Router<App> {
    let takes =
        |single| move |State(app): State<App>, request: Request| post_single(app, single, request);
    let spans = post(takes(Single::Span)).patch(takes(Single::SpanUpdate));
    let generations = post(takes(Single::Generation)).patch(takes(Single::GenerationUpdate));
    Router::new()
        .route("/api/public/ingestion", post(post_batch))
        .route("/api/public/traces", post(takes(Single::Trace)))
        .route("/api/public/spans", spans)
        .route("/api/public/generations", generations)
        .route("/api/public/events", post(takes(Single::Event)))
}

async fn post_batch(State(app): State<App>, request: Request) -> Response {
    let outcome = async {
        let received = receive(&app, request, MAX_BATCH_BYTES).await?;
        pipeline::ingest_batch(&app, received).await
    };
    match measure::changes(&app, outcome.await) {
        Ok(answer) => (StatusCode::MULTI_STATUS, Json(answer)).into_response(),
        Err(fault) => refuse(&fault),
    }
}

async fn post_single(app: App, single: Single, request: Request) -> Response {
    let outcome = async {
        let received = receive(&app, request, MAX_SINGLE_BYTES).await?;
        pipeline::ingest_single(&app, single, received).await
    };
    match measure::change(&app, outcome.await) {
        Ok(id) => Json(json!({ "id": id })).into_response(),
        Err(fault) => refuse_single(&fault),
    }
}

async fn receive(app: &App, request: Request, most_bytes: u64) -> Result<Received, Fault> {
    let limit = app.settings().max_body_bytes.min(most_bytes);
    let (parts, body) = request.into_parts();
    let source = body::lingering_source(body);
    let scope = service::auth::authenticate_key(app, authorization(&parts.headers)).await?;
    let encoding = parts.headers.get(header::CONTENT_ENCODING);
    let encoding = encoding.map(|value| value.to_str().unwrap_or_default());
    let compression = Compression::from_header(encoding.unwrap_or_default())?;
    let (body, held) = body::read(source, compression, limit, scope.project_id()).await?;
    Ok(Received {
        scope,
        encoding: Encoding::Json,
        body,
        held,
    })
}

/// In the words of the Langfuse API.
fn refuse(fault: &Fault) -> Response {
    status::log(fault);
    let body = match fault.code {
        Code::Invalid => json!({"message": "Invalid request data", "errors": [fault.message]}),
        Code::Unauthenticated => json!({"message": fault.message, "error": "UnauthorizedError"}),
        Code::Forbidden => json!({"message": fault.message, "error": "ForbiddenError"}),
        Code::TooLarge => json!({"message": fault.message, "error": "PayloadTooLargeError"}),
        Code::Internal => json!({"message": "Internal Server Error"}),
        _ => json!({"message": fault.message, "error": "ServiceUnavailableError"}),
    };
    let headers = status::retry_after(fault);
    (status::http_status(fault.code), headers, Json(body)).into_response()
}

/// In the words of the older routes.
fn refuse_single(fault: &Fault) -> Response {
    status::log(fault);
    let message = match fault.code {
        Code::Internal => "Internal Server Error",
        _ => &fault.message,
    };
    let body = json!({ "message": message });
    let headers = status::retry_after(fault);
    (status::http_status(fault.code), headers, Json(body)).into_response()
}
