//! What is answered before everything is there.
//!
//! Engines start in seconds, but to bring the stores of an older version to this one may take minutes. Meanwhile whoever
//! asks whether the process lives, or is ready, is told. Everything else waits, as long as clients do.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::json;
use tokio::sync::watch;
use tower::ServiceExt;

/// How long a request waits; clients give up after ten seconds or more, and come again.
const PATIENCE: Duration = Duration::from_secs(10);
/// After so many seconds whoever waited in vain may come again.
const AGAIN: &str = "5";

/// How far the start is.
#[derive(Clone)]
pub(crate) enum Stage {
    /// The engines are started.
    Starting,
    /// The stores are brought to this version.
    Migrating,
    /// Everything answers.
    Ready(Router),
}

/// Tells the stage.
pub(crate) type Tell = watch::Sender<Stage>;

/// What answers from the first moment on, and who tells it how far the start is.
pub(crate) fn router() -> (Tell, Router) {
    let (tell, stage) = watch::channel(Stage::Starting);
    (tell, Router::new().fallback(answer).with_state(stage))
}

async fn answer(State(mut stage): State<watch::Receiver<Stage>>, request: Request) -> Response {
    let now = stage.borrow().clone();
    match (request.uri().path(), &now) {
        (_, Stage::Ready(router)) => passed_on(router.clone(), request).await,
        ("/healthz", _) => health(),
        ("/readyz", Stage::Migrating) => not_ready("migrating"),
        ("/readyz", Stage::Starting) => not_ready("starting"),
        _ => {
            let is_ready = |stage: &Stage| matches!(stage, Stage::Ready(_));
            let ready = tokio::time::timeout(PATIENCE, stage.wait_for(is_ready)).await;
            let ready = ready.ok().and_then(Result::ok).map(|stage| stage.clone());
            match ready {
                Some(Stage::Ready(router)) => passed_on(router, request).await,
                _ => ([(RETRY_AFTER, AGAIN)], not_ready("not ready")).into_response(),
            }
        }
    }
}

async fn passed_on(router: Router, request: Request) -> Response {
    let answer = router.oneshot(request).await;
    answer.unwrap_or_else(|never| match never {})
}

fn health() -> Response {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })).into_response()
}

fn not_ready(status: &str) -> Response {
    let body = Json(json!({ "status": status }));
    (StatusCode::SERVICE_UNAVAILABLE, body).into_response()
}
