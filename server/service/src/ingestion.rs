//! Spans and log records on their way in: from an edge to the spool, from the spool to ClickHouse.

use std::sync::Arc;
use std::time::Duration;

use domain::change::Change;
use domain::log::LogRecord;
use domain::score::Score;
use domain::{Code, Fault, Nanos, Span};
use spool::{Entry, SpoolError};
use store_clickhouse::block::{self, BadBlock};
use store_clickhouse::writer::Follow;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::changes;
use crate::scope::{ProjectScope, ScoreWriter};

/// Takes spans; returns once they are durable.
///
/// # Errors
/// `too_many` when the spool is full, `unavailable` when its disk refuses; both say when to come again.
pub async fn accept(app: &App, scope: &ProjectScope, spans: Vec<Span>) -> Result<(), Fault> {
    let (project, rows) = (scope.project_id(), spans.len());
    // Before they are durable: what is never stored is looked for in vain, for a while.
    app.hub().note(project, &spans);
    append(app, rows, move || {
        store_clickhouse::spans::encode(project, &spans)
    })
    .await
}

/// Takes log records, likewise.
///
/// # Errors
/// As [`accept`].
pub async fn accept_logs(
    app: &App,
    scope: &ProjectScope,
    records: Vec<LogRecord>,
) -> Result<(), Fault> {
    let (project, rows) = (scope.project_id(), records.len());
    append(app, rows, move || {
        store_clickhouse::logs::encode(project, &records)
    })
    .await
}

/// Takes changes of observations and traces, likewise.
///
/// # Errors
/// As [`accept`].
pub async fn accept_changes(
    app: &App,
    scope: &ProjectScope,
    changes: Vec<Change>,
) -> Result<(), Fault> {
    let (project, rows) = (scope.project_id(), changes.len());
    append(app, rows, move || {
        store_clickhouse::changes::encode(project, &changes)
    })
    .await
}

/// Takes scores, likewise.
///
/// # Errors
/// As [`accept`].
pub async fn accept_scores(
    app: &App,
    writer: &ScoreWriter,
    scores: Vec<Score>,
) -> Result<(), Fault> {
    let (project, rows) = (writer.project_id(), scores.len());
    append(app, rows, move || {
        store_clickhouse::scores::encode(project, &scores)
    })
    .await
}

async fn append(
    app: &App,
    rows: usize,
    encode: impl FnOnce() -> Result<Vec<u8>, BadBlock> + Send + 'static,
) -> Result<(), Fault> {
    if rows == 0 {
        return Ok(());
    }
    let block = if rows > FEW_ROWS {
        tokio::task::spawn_blocking(encode)
            .await
            .map_err(Fault::internal)?
    } else {
        encode()
    };
    let data = block.map_err(Fault::internal)?;
    let header = block::header(&data).map_err(Fault::internal)?;
    let entry = Entry {
        rows: header.rows,
        weight: header.decoded_bytes,
        received: app.clock().now(),
        data: data.into(),
    };
    share_the_machine(app).await;
    app.spool().append(entry).await.map(|_| ()).map_err(refusal)
}

/// Entries that wait longer than that for a batch tell that receipt is faster than storing.
const LAG: Duration = Duration::from_millis(250);
/// Longest that a sender is held back for it.
const HELD_BACK: Duration = Duration::from_secs(2);

/// Receiving costs less than storing, so that under overload what was acknowledged would queue up for
/// ever longer. Senders wait instead, and what they are acknowledged is seen soon. While ClickHouse is
/// away there is nothing to wait for: the spool takes what it can hold.
async fn share_the_machine(app: &App) {
    if app.clickhouse().status().is_writing() {
        app.spool().let_readers_catch_up(LAG, HELD_BACK).await;
    }
}

/// Writes what is in the spool to ClickHouse until `stop`, and tells the live views.
pub async fn write_spooled(app: App, stop: CancellationToken) {
    let telling = app.clone();
    let on_inserted = move |project, newest| {
        telling.hub().note_change(project);
        // Nobody may be listening.
        let _listeners = telling.live().send((project, newest));
    };
    let (clickhouse, spool) = (app.clickhouse().clone(), Arc::clone(app.spool()));
    let follow = Follow {
        on_inserted: Arc::new(on_inserted),
        settle: Arc::new(move |project, changed| {
            let app = app.clone();
            Box::pin(async move { changes::settle(&app, project, changed).await })
        }),
    };
    store_clickhouse::writer::run(clickhouse, spool, follow, stop).await;
}

/// Encoding so many rows takes less than handing the work to another thread is worth.
const FEW_ROWS: usize = 64;

fn refusal(error: SpoolError) -> Fault {
    match &error {
        SpoolError::Full { .. } => Fault::new(
            Code::TooMany,
            "the queue is full because the telemetry store is away",
        )
        .retry_after(Nanos::from_seconds(5))
        .because(error),
        SpoolError::Failing(_) => Fault::unavailable("telemetry cannot be kept at the moment")
            .retry_after(Nanos::from_seconds(5))
            .because(error),
        SpoolError::Closed => Fault::unavailable("the server is shutting down").because(error),
    }
}
