//! `POST /api/public/ingestion`: batches of older Langfuse clients; `POST /api/public/scores`.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use domain::{Code, Fault};
use serde_json::json;
use service::App;

use super::body::{self, Compression, ReceivedScores};
use super::{authorization, measure, status};
use crate::pipeline::{self, Scored};

/// Largest body, in bytes: what the Langfuse API takes.
const MAX_BODY_BYTES: u64 = 4_500_000;

/// The routes.
pub fn router(_: &App) -> Router<App> {
    Router::new()
        .route("/api/public/ingestion", post(post_batch))
        .route("/api/public/scores", post(create_score))
}

async fn post_batch(State(app): State<App>, request: Request) -> Response {
    let outcome = async {
        let received = receive(&app, request).await?;
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
        let received = receive(&app, request).await?;
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

async fn receive(app: &App, request: Request) -> Result<ReceivedScores, Fault> {
    let limit = app.settings().max_body_bytes.min(MAX_BODY_BYTES);
    let (parts, body) = request.into_parts();
    let source = body::lingering_source(body);
    let header = authorization(&parts.headers);
    let writer = service::auth::authenticate_score_writer(app, header).await?;
    let encoding = parts.headers.get(header::CONTENT_ENCODING);
    let encoding = encoding.map(|value| value.to_str().unwrap_or_default());
    let compression = Compression::from_header(encoding.unwrap_or_default())?;
    let (body, held) = body::read(source, compression, limit, writer.project_id()).await?;
    Ok(ReceivedScores { writer, body, held })
}

/// In the words that the Langfuse API has for batches.
fn refuse(fault: &Fault) -> Response {
    let body = match fault.code {
        Code::Invalid => json!({"message": "Invalid request data", "errors": [fault.message]}),
        _ => named(fault),
    };
    answer(fault, body)
}

/// In those that it has for single scores: at the door there is no name.
fn refuse_score(fault: &Fault) -> Response {
    let body = match fault.code {
        Code::Unauthenticated | Code::Forbidden => json!({"message": fault.message}),
        _ => named(fault),
    };
    answer(fault, body)
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

fn answer(fault: &Fault, body: serde_json::Value) -> Response {
    status::log(fault);
    let headers = status::retry_after(fault);
    (status::http_status(fault.code), headers, Json(body)).into_response()
}
