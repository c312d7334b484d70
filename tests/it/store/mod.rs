//! The stores by themselves, each test in a database of its own.

mod calls;
mod cells;
mod changes;
mod convergence;
mod filters;
mod logs;
mod metrics;
mod moved;
mod numbered;
mod paging;
mod pool;
mod queries;
mod removal;
mod requests;
#[path = "../../../server/store-clickhouse/src/spans/samples.rs"]
mod samples;
mod series;
mod sqlx_cache;
mod tls;
mod writer;

use std::sync::atomic::{AtomicU64, Ordering};

use domain::{ProjectId, Span, SpanId, Timestamp, TraceId};
use store_clickhouse::{ClickHouse, spans, traces, writer as store_writer};
use uuid::Uuid;

/// A migrated store in a new database of the shared server's ClickHouse.
async fn fresh_store() -> ClickHouse {
    let store = ClickHouse::connect(&fresh_database().await).unwrap();
    store.migrate().await.unwrap();
    store
}

/// The address of a database that nobody has used.
async fn fresh_database() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let server = tests::shared().await;
    let text = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let url = run["clickhouse_url"].as_str().unwrap();
    let (scheme, rest) = url.split_once("://").unwrap();
    let authority = rest.split('/').next().unwrap();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let database = format!("store_{}_{number}", std::process::id());
    format!("{scheme}://{authority}/{database}")
}

fn project(number: u128) -> ProjectId {
    ProjectId(Uuid::from_u128(number))
}

/// A span that began so many seconds into a fixed day, and took one.
fn span(trace: &str, id: &str, second: u64) -> Span {
    let start = 1_790_000_000_000_000_000 + second * 1_000_000_000;
    let start = Timestamp::from_unix_nanos(start).unwrap();
    let (trace, id) = (
        TraceId::from_text(trace).unwrap(),
        SpanId::from_text(id).unwrap(),
    );
    let mut span = Span::bare(trace, id, start);
    span.name = "work".to_owned();
    span.end = Some(start.plus(domain::Nanos::from_seconds(1)));
    span
}

/// Inserts spans of one project at once.
async fn insert(store: &ClickHouse, project: ProjectId, spans: &[Span]) {
    let block = spans::encode(project, spans).unwrap();
    let token = Uuid::now_v7().to_string();
    store_writer::insert_unspooled(store, vec![block.into()], &token)
        .await
        .unwrap();
}

/// All spans of a trace.
async fn stored(store: &ClickHouse, project: ProjectId, trace: &str) -> Vec<Span> {
    let trace = TraceId::from_text(trace).unwrap();
    match traces::extent(store, project, &trace).await.unwrap() {
        Some(extent) => {
            let mut stream = spans::of_trace(store, project, &trace, extent).unwrap();
            let mut spans = Vec::new();
            while let Some(span) = stream.next().await.unwrap() {
                spans.push(span);
            }
            spans.sort_by(|a, b| (a.start, &a.span_id).cmp(&(b.start, &b.span_id)));
            spans
        }
        None => Vec::new(),
    }
}
