//! One piece of work after the other, taken from Postgres, which says whose turn it is; where there is none, it is waited for.

use std::time::Duration;

use store_postgres::StoreError;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// How whoever works finds work.
#[derive(Clone, Copy)]
pub(crate) struct Turns<'a> {
    /// What is looked for, for the log: `deletions`.
    pub(crate) what: &'static str,
    /// Between two looks where there was none.
    pub(crate) every: Duration,
    /// Tells that there is some, before that time is over.
    pub(crate) wake: Option<&'a Notify>,
    /// Ends it. What is worked on is told of it by whoever works.
    pub(crate) stop: &'a CancellationToken,
}

impl Turns<'_> {
    /// The next piece of work, waited for; `None` once it is stopped. While Postgres is away it is looked again as where there is
    /// no work: what is held is taken up by somebody when its time is over.
    pub(crate) async fn next<T, F>(&self, take: impl Fn() -> F) -> Option<T>
    where
        F: Future<Output = Result<Option<T>, StoreError>>,
    {
        while !self.stop.is_cancelled() {
            match take().await {
                Ok(Some(taken)) => return Some(taken),
                Ok(None) => {}
                Err(error) => postgres_is_away(self.what, &error),
            }
            self.idle().await;
        }
        None
    }

    async fn idle(&self) {
        let woken = async {
            match self.wake {
                Some(wake) => wake.notified().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = tokio::time::sleep(self.every) => {}
            () = woken => {}
            () = self.stop.cancelled() => {}
        }
    }
}

/// Tells the log that work could not be looked for, or what became of it not noted; it is taken up again later.
pub(crate) fn postgres_is_away(what: &'static str, error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::debug!(
        error,
        what,
        "cannot look for work, or note what became of it"
    );
}
