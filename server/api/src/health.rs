//! Whether the server lives, is ready, and what it counts.

use std::error::Error;
use std::fmt::Write;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use service::{App, ingestion};

/// Longest wait for a part to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the process is up.
pub(crate) async fn show_health() -> Json<Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// Whether both stores answer.
pub(crate) async fn stores_answer(app: &App) -> bool {
    let (postgres, clickhouse) = both_answer(app).await;
    postgres && clickhouse
}

async fn both_answer(app: &App) -> (bool, bool) {
    tokio::join!(
        answers("postgres", app.postgres().ping()),
        answers("clickhouse", app.clickhouse().ping()),
    )
}

/// Whether every part is ready, each by name.
pub(crate) async fn show_readiness(State(app): State<App>) -> Response {
    let (postgres, clickhouse) = both_answer(&app).await;
    let spool = app.spool().stats(app.clock().now());
    let is_full = spool.bytes >= spool.max_bytes;
    let (spool_ok, why) = match (spool.failing, is_full) {
        (true, _) => (false, "the disk refuses to write"),
        (false, true) => (false, "full"),
        (false, false) => (true, ""),
    };
    let writing = ingestion::refused_for(&app).is_none();
    let why_not_writing = app.clickhouse().status().stats().last_error;
    let why_not_writing = why_not_writing.unwrap_or_default();
    let all = postgres && clickhouse && spool_ok && writing;
    let status = if all {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let part = |ok: bool, why: &str| json!({ "ok": ok, "message": if ok { "" } else { why } });
    let body = json!({
        "status": if all { "ready" } else { "not ready" },
        "parts": {
            "postgres": part(postgres, "does not answer"),
            "clickhouse": part(clickhouse, "does not answer"),
            "spool": part(spool_ok, why),
            "inserts": part(writing, &why_not_writing),
        },
    });
    (status, Json(body)).into_response()
}

/// What became of moving spans from the spool into ClickHouse.
fn write_inserts(text: &mut String, app: &App) {
    let writer = app.clickhouse().status().stats();
    let seconds = |of: Option<Duration>| of.map_or(0.0, |of| of.as_secs_f64()).to_string();
    for (name, kind, value) in [
        (
            "triaxis_inserted_rows_total",
            "counter",
            writer.inserted_rows.to_string(),
        ),
        (
            "triaxis_inserts_total",
            "counter",
            writer.inserts.to_string(),
        ),
        (
            "triaxis_insert_errors_total",
            "counter",
            writer.retries.to_string(),
        ),
        (
            "triaxis_set_aside_rows_total",
            "counter",
            writer.set_aside_rows.to_string(),
        ),
        (
            "triaxis_last_insert_seconds",
            "gauge",
            seconds(writer.last_insert),
        ),
        (
            "triaxis_inserts_failing_seconds",
            "gauge",
            seconds(writer.failing_for),
        ),
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# TYPE {name} {kind}\n{name} {value}");
    }
}

/// Counters and gauges in the text format of Prometheus.
pub(crate) async fn show_metrics(State(app): State<App>) -> Response {
    let mut text = String::new();
    let spool = app.spool().stats(app.clock().now());
    let age = spool
        .oldest_age
        .map_or(0.0, |age| age.as_millis_f64() / 1000.0);
    for (name, help, value) in [
        (
            "triaxis_spool_entries",
            "Requests that ClickHouse does not have yet.",
            spool.entries.to_string(),
        ),
        (
            "triaxis_spool_rows",
            "Rows that ClickHouse does not have yet.",
            spool.rows.to_string(),
        ),
        (
            "triaxis_spool_bytes",
            "Bytes in the spool.",
            spool.bytes.to_string(),
        ),
        (
            "triaxis_spool_max_bytes",
            "Bytes that the spool may hold.",
            spool.max_bytes.to_string(),
        ),
        (
            "triaxis_spool_oldest_age_seconds",
            "Age of what waits longest.",
            age.to_string(),
        ),
        (
            "triaxis_spool_set_aside_entries",
            "Requests that can never be stored.",
            spool.set_aside.to_string(),
        ),
        (
            "triaxis_spool_failing",
            "1 while the disk refuses.",
            u8::from(spool.failing).to_string(),
        ),
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}"
        );
    }
    write_inserts(&mut text, &app);
    let mut last_name = "";
    for (counter, value) in app.counters().read() {
        if counter.name != last_name {
            let _ = writeln!(text, "# TYPE {} counter", counter.name);
            last_name = counter.name;
        }
        let _ = match counter.label {
            None => writeln!(text, "{} {value}", counter.name),
            Some((label, part)) => writeln!(text, "{}{{{label}=\"{part}\"}} {value}", counter.name),
        };
    }
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        text,
    )
        .into_response()
}

/// Whether a part answers in time; why not goes to the log, since the page is open to everybody.
async fn answers<E: Error + 'static>(
    part: &str,
    ping: impl Future<Output = Result<(), E>>,
) -> bool {
    match tokio::time::timeout(PATIENCE, ping).await {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            tracing::warn!(part, error = &error as &dyn Error, "a part is not ready");
            false
        }
        Err(_) => {
            tracing::warn!(part, "a part does not answer in time");
            false
        }
    }
}
