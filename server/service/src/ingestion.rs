//! Spans on their way in: from an edge to the spool, from the spool to ClickHouse.

use std::sync::Arc;

use domain::{Code, Fault, Nanos, Span};
use spool::{Entry, SpoolError};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::scope::ProjectScope;

/// Takes spans; returns once they are durable.
///
/// # Errors
/// `too_many` when the spool is full, `unavailable` when its disk refuses; both say when to come again.
pub async fn accept(app: &App, scope: &ProjectScope, spans: Vec<Span>) -> Result<(), Fault> {
    if spans.is_empty() {
        return Ok(());
    }
    let project = scope.project_id();
    let rows = u32::try_from(spans.len()).unwrap_or(u32::MAX);
    let encode = move || store_clickhouse::spans::block::encode(project, &spans);
    let block = if rows > FEW_SPANS {
        tokio::task::spawn_blocking(encode)
            .await
            .map_err(Fault::internal)?
    } else {
        encode()
    };
    let data: Vec<u8> = block.map_err(Fault::internal)?;
    let header = store_clickhouse::spans::block::header(&data).map_err(Fault::internal)?;
    let entry = Entry {
        rows,
        weight: header.decoded_bytes,
        received: app.clock().now(),
        data: data.into(),
    };
    app.spool().append(entry).await.map(|_| ()).map_err(refusal)
}

/// Writes what is in the spool to ClickHouse until `stop`, and tells the live views.
pub async fn write_spooled(app: App, stop: CancellationToken) {
    let live = app.live().clone();
    let on_inserted = move |project, newest| {
        // Nobody may be listening.
        let _listeners = live.send((project, newest));
    };
    let (clickhouse, spool) = (app.clickhouse().clone(), Arc::clone(app.spool()));
    store_clickhouse::writer::run(clickhouse, spool, Arc::new(on_inserted), stop).await;
}

/// Encoding so many spans takes less than handing the work to another thread is worth.
const FEW_SPANS: u32 = 64;

fn refusal(error: SpoolError) -> Fault {
    match &error {
        SpoolError::Full { .. } => Fault::new(
            Code::TooMany,
            "the queue is full because the telemetry store is away",
        )
        .retry_after(Nanos::from_seconds(5))
        .because(error),
        SpoolError::Failing(_) => Fault::unavailable("spans cannot be kept at the moment")
            .retry_after(Nanos::from_seconds(5))
            .because(error),
        SpoolError::Closed => Fault::unavailable("the server is shutting down").because(error),
    }
}
