//! What became of the writing so far, for metrics and health.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::StoreError;

/// While it goes on failing, a line in the log each so often.
const LOG_EVERY: Duration = Duration::from_secs(30);

/// What became of the writing so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriterStats {
    /// Rows inserted since the start of the process.
    pub inserted_rows: u64,
    /// Inserts that succeeded.
    pub inserts: u64,
    /// Inserts that failed and were, or will be, repeated.
    pub retries: u64,
    /// Rows set aside since the start of the process.
    pub set_aside_rows: u64,
    /// How long the last insert took.
    pub last_insert: Option<Duration>,
    /// How long ago it was.
    pub since_insert: Option<Duration>,
    /// Why the last failure failed, without content.
    pub last_error: Option<String>,
    /// For how long nothing has succeeded after a failure; `None` while all is well.
    pub failing_for: Option<Duration>,
}

/// Counters shared by inserters and whoever asks.
#[derive(Debug, Default)]
pub struct Status {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    stats: WriterStats,
    inserted_at: Option<Instant>,
    failing_since: Option<Instant>,
    logged: Option<Instant>,
}

impl Status {
    /// The numbers now.
    pub fn stats(&self) -> WriterStats {
        let inner = self.inner();
        let failing_for = inner.failing_since.map(|since| since.elapsed());
        WriterStats {
            failing_for,
            since_insert: inner.inserted_at.map(|at| at.elapsed()),
            ..inner.stats.clone()
        }
    }

    /// Whether the last insert succeeded; true before the first.
    pub fn is_writing(&self) -> bool {
        self.inner().failing_since.is_none()
    }

    pub(super) fn inserted(&self, rows: u64, took: Duration) {
        let mut inner = self.inner();
        inner.stats.inserted_rows += rows;
        inner.stats.inserts += 1;
        inner.stats.last_insert = Some(took);
        inner.inserted_at = Some(Instant::now());
        if let Some(since) = inner.failing_since.take() {
            let seconds = since.elapsed().as_secs();
            inner.logged = None;
            tracing::info!(seconds, "ClickHouse takes spans again");
        }
    }

    pub(super) fn failed(&self, error: &StoreError) {
        let mut inner = self.inner();
        let reason = error.brief();
        inner.stats.retries += 1;
        inner.failing_since.get_or_insert_with(Instant::now);
        if inner
            .logged
            .is_none_or(|logged| logged.elapsed() >= LOG_EVERY)
        {
            inner.logged = Some(Instant::now());
            tracing::warn!(
                reason,
                "ClickHouse does not take spans; they wait in the spool"
            );
        }
        inner.stats.last_error = Some(reason);
    }

    pub(super) fn set_aside(&self, rows: u64, error: &StoreError) {
        let mut inner = self.inner();
        inner.stats.set_aside_rows += rows;
        inner.stats.last_error = Some(error.brief());
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
