//! The durable end of the way.

use domain::change::Change;
use domain::log::LogRecord;
use domain::score::Score;
use domain::{Fault, Span};
use service::{App, ProjectScope, ScoreWriter};

/// Hands spans to the spool; returns when they are durable.
///
/// # Errors
/// `too_many` or `unavailable` with a time to come again, when the spool is full or failing.
pub async fn write(app: &App, scope: &ProjectScope, spans: Vec<Span>) -> Result<(), Fault> {
    if spans.is_empty() {
        return Ok(());
    }
    service::ingestion::accept(app, scope, spans).await
}

/// The same for log records.
///
/// # Errors
/// As [`write`].
pub async fn write_logs(
    app: &App,
    scope: &ProjectScope,
    records: Vec<LogRecord>,
) -> Result<(), Fault> {
    if records.is_empty() {
        return Ok(());
    }
    service::ingestion::accept_logs(app, scope, records).await
}

/// The same for changes of observations and traces.
///
/// # Errors
/// As [`write`].
pub async fn write_changes(
    app: &App,
    scope: &ProjectScope,
    changes: Vec<Change>,
) -> Result<(), Fault> {
    if changes.is_empty() {
        return Ok(());
    }
    service::ingestion::accept_changes(app, scope, changes).await
}

/// The same for scores.
///
/// # Errors
/// As [`write`].
pub async fn write_scores(
    app: &App,
    writer: &ScoreWriter,
    scores: Vec<Score>,
) -> Result<(), Fault> {
    if scores.is_empty() {
        return Ok(());
    }
    service::ingestion::accept_scores(app, writer, scores).await
}
