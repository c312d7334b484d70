//! Telemetry on its way in: from an edge to the spool, from the spool to ClickHouse.

use std::sync::Arc;
use std::time::Duration;

use domain::axes::{Measured, Seen};
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

/// How long inserts fail before anybody is told: a hiccup is no reason to.
const HICCUP: Duration = Duration::from_secs(10);

/// Telemetry of one project, encoded: ready to be kept.
#[derive(Debug)]
pub struct Sealed {
    header: block::Header,
    data: Vec<u8>,
}

/// Encodes spans, which costs about what reading them did: best where they were read.
///
/// # Errors
/// `internal` for more than one block can hold, which no request is large enough for.
pub fn seal(app: &App, scope: &ProjectScope, spans: &[Span]) -> Result<Sealed, Fault> {
    // Before they are durable: what is never stored is looked for in vain, for a while.
    app.hub().note(scope.project_id(), spans);
    sealed(
        app,
        store_clickhouse::spans::encode(scope.project_id(), spans),
    )
}

/// Encodes log records, likewise.
///
/// # Errors
/// As [`seal`].
pub fn seal_logs(app: &App, scope: &ProjectScope, records: &[LogRecord]) -> Result<Sealed, Fault> {
    sealed(
        app,
        store_clickhouse::logs::encode(scope.project_id(), records),
    )
}

/// Encodes changes of observations and traces, likewise.
///
/// # Errors
/// As [`seal`].
pub fn seal_changes(app: &App, scope: &ProjectScope, changes: &[Change]) -> Result<Sealed, Fault> {
    sealed(
        app,
        store_clickhouse::changes::encode(scope.project_id(), changes),
    )
}

/// Encodes scores, likewise.
///
/// # Errors
/// As [`seal`].
pub fn seal_scores(app: &App, writer: &ScoreWriter, scores: &[Score]) -> Result<Sealed, Fault> {
    sealed(
        app,
        store_clickhouse::scores::encode(writer.project_id(), scores),
    )
}

/// Encodes series, likewise.
///
/// # Errors
/// As [`seal`].
pub fn seal_series(app: &App, scope: &ProjectScope, series: &[Seen]) -> Result<Sealed, Fault> {
    sealed(
        app,
        store_clickhouse::series::encode(scope.project_id(), series),
    )
}

/// Encodes samples, likewise.
///
/// # Errors
/// As [`seal`].
pub fn seal_samples(
    app: &App,
    scope: &ProjectScope,
    samples: &[Measured],
) -> Result<Sealed, Fault> {
    sealed(
        app,
        store_clickhouse::samples::encode(scope.project_id(), samples),
    )
}

/// What is stored within the second is not worth compressing; what waits for a store that is away is.
fn sealed(app: &App, block: Result<Vec<u8>, BadBlock>) -> Result<Sealed, Fault> {
    let data = match block {
        Ok(block) if app.spool().is_long() => block::compress(block),
        block => block,
    };
    let data = data.map_err(Fault::internal)?;
    let header = block::header(&data).map_err(Fault::internal)?;
    Ok(Sealed { header, data })
}

/// Keeps it; returns once it is durable.
///
/// # Errors
/// `too_many` when the spool is full, `unavailable` when its disk refuses; both say when to come again.
pub async fn keep(app: &App, sealed: Sealed) -> Result<(), Fault> {
    if sealed.header.rows == 0 {
        return Ok(());
    }
    let entry = Entry {
        rows: sealed.header.rows,
        weight: sealed.header.decoded_bytes,
        received: app.clock().now(),
        data: sealed.data.into(),
    };
    share_the_machine(app).await;
    app.spool().append(entry).await.map(|_| ()).map_err(refusal)
}

/// Entries that wait longer than that for a batch tell that receipt is faster than storing.
const LAG: Duration = Duration::from_millis(700);
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

/// Since when ClickHouse takes nothing of what is received, where that is more than a hiccup. It waits in the spool for as
/// long as this lasts.
pub fn refused_for(app: &App) -> Option<Duration> {
    let failing_for = app.clickhouse().status().stats().failing_for;
    failing_for.filter(|failing_for| *failing_for >= HICCUP)
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
