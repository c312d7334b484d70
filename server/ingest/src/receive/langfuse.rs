//! What older Langfuse clients send: `POST /api/public/ingestion`, batches; `POST /api/public/scores`; and
//! the routes that are older than batches, with one thing in each request.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use domain::{Code, Fault, ProjectId};
use serde_json::json;
use service::App;
use service::auth::Needs;

use super::body::{self, Compression, Received, ReceivedScores};
use super::in_flight::Held;
use super::{authorization, measure, status};
use crate::decode::Encoding;
use crate::langfuse::single::Single;
use crate::pipeline::{self, Scored};

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
        .route("/api/public/scores", post(create_score))
        .route("/api/public/traces", post(takes(Single::Trace)))
        .route("/api/public/spans", spans)
        .route("/api/public/generations", generations)
        .route("/api/public/events", post(takes(Single::Event)))
}

async fn post_batch(State(app): State<App>, request: Request) -> Response {
    let outcome = async {
        let received = receive_scores(&app, request, Needs::INGEST_OR_SCORES).await?;
        pipeline::ingest_batch(&app, received).await
    };
    match measure::changes(&app, outcome.await) {
        Ok(answer) => (StatusCode::MULTI_STATUS, Json(answer)).into_response(),
        Err(fault) => refuse(&fault),
    }
}

/// One score, or a list of them, of which each is taken or refused for itself.
async fn create_score(State(app): State<App>, request: Request) -> Response {
    let outcome = async {
        let received = receive_scores(&app, request, Needs::SCORES).await?;
        pipeline::ingest_scores(&app, received).await
    };
    match measure::scores(&app, outcome.await) {
        Ok(Scored::One(id)) => Json(json!({ "id": id })).into_response(),
        Ok(Scored::Refused(issues)) => {
            let body = json!({ "message": "Invalid request data", "error": issues });
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
        Ok(Scored::Many(answer)) => (StatusCode::MULTI_STATUS, Json(answer)).into_response(),
        Err(fault) => refuse_score(&fault),
    }
}

async fn post_single(app: App, single: Single, request: Request) -> Response {
    let outcome = async {
        let received = receive(&app, request).await?;
        pipeline::ingest_single(&app, single, received).await
    };
    match measure::change(&app, outcome.await) {
        Ok(id) => Json(json!({ "id": id })).into_response(),
        Err(fault) => refuse_single(&fault),
    }
}

/// With a key.
async fn receive(app: &App, request: Request) -> Result<Received, Fault> {
    let (parts, body) = request.into_parts();
    let header = authorization(&parts.headers);
    let scope = service::auth::authenticate_key(app, header, Needs::INGEST).await?;
    let limit = app.settings().max_body_bytes.min(MAX_SINGLE_BYTES);
    let (body, held) = read(&parts.headers, body, limit, scope.project_id()).await?;
    Ok(Received {
        scope,
        encoding: Encoding::Json,
        body,
        held,
    })
}

/// With a key, or with its public part.
async fn receive_scores(
    app: &App,
    request: Request,
    needs: Needs,
) -> Result<ReceivedScores, Fault> {
    let (parts, body) = request.into_parts();
    let header = authorization(&parts.headers);
    let writer = service::auth::authenticate_score_writer(app, header, needs).await?;
    let limit = app.settings().max_body_bytes.min(MAX_BATCH_BYTES);
    let (body, held) = read(&parts.headers, body, limit, writer.project_id()).await?;
    Ok(ReceivedScores { writer, body, held })
}

async fn read(
    headers: &HeaderMap,
    body: Body,
    limit: u64,
    project: ProjectId,
) -> Result<(Vec<u8>, Held), Fault> {
    let source = body::lingering_source(body);
    let encoding = headers.get(header::CONTENT_ENCODING);
    let encoding = encoding.map(|value| value.to_str().unwrap_or_default());
    let compression = Compression::from_header(encoding.unwrap_or_default())?;
    body::read(source, compression, limit, project).await
}

/// In the words that the Langfuse API has for batches.
fn refuse(fault: &Fault) -> Response {
    let body = match fault.code {
        Code::Invalid => json!({"message": "Invalid request data", "errors": [fault.message]}),
        _ => named(fault),
    };
    answer(fault, &body)
}

/// In those that it has for single scores: at the door there is no name.
fn refuse_score(fault: &Fault) -> Response {
    let body = match fault.code {
        Code::Unauthenticated | Code::Forbidden => json!({"message": fault.message}),
        _ => named(fault),
    };
    answer(fault, &body)
}

/// In the words of the older routes.
fn refuse_single(fault: &Fault) -> Response {
    let message = match fault.code {
        Code::Internal => "Internal Server Error",
        _ => &fault.message,
    };
    answer(fault, &json!({ "message": message }))
}

fn named(fault: &Fault) -> serde_json::Value {
    let name = match fault.code {
        Code::Invalid => "InvalidRequestError",
        Code::Unauthenticated => "UnauthorizedError",
        Code::Forbidden => "ForbiddenError",
        Code::TooLarge => "PayloadTooLargeError",
        Code::Internal => return json!({"message": "Internal Server Error"}),
        _ => "ServiceUnavailableError",
    };
    json!({"message": fault.message, "error": name})
}

fn answer(fault: &Fault, body: &serde_json::Value) -> Response {
    status::log(fault);
    let headers = status::retry_after(fault);
    (status::http_status(fault.code), headers, Json(body)).into_response()
}
