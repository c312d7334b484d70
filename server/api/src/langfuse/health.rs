//! `GET /api/public/health`, `GET /api/public/ready`

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use service::App;

use super::error::Result;
use super::query::Query;
use crate::health::stores_answer;

/// Without an insert for as long, there are no recent events.
const RECENT: Duration = Duration::from_secs(180);

/// Whether the server lives; on demand also whether its stores do, and whether this server has stored
/// telemetry lately.
pub(crate) async fn show_health(State(app): State<App>, query: Query) -> Result<Response> {
    let with_stores = query.text("failIfDatabaseUnavailable")? == Some("true");
    let with_events = query.text("failIfNoRecentEvents")? == Some("true");
    if with_stores && !stores_answer(&app).await {
        return Ok(status(false, "Database not available"));
    }
    let idle = app.clickhouse().status().stats().since_insert;
    if with_events && idle.is_none_or(|idle| idle > RECENT) {
        return Ok(status(false, "No traces or observations lately"));
    }
    Ok(status(true, "OK"))
}

/// Whether requests should be sent here: not to a server that is stopping.
pub(crate) async fn show_readiness(State(app): State<App>) -> Response {
    if *app.closing().borrow() {
        return status(false, "Stopping");
    }
    status(true, "OK")
}

fn status(ok: bool, text: &str) -> Response {
    let code = if ok {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let body = json!({ "status": text, "version": env!("CARGO_PKG_VERSION") });
    (code, Json(body)).into_response()
}
