//! Big work away from the threads that answer requests.

use domain::Fault;

/// Big work is done on a thread of its own, so that small requests need not wait for it.
///
/// # Errors
/// What the work says; `internal` when it panics there.
pub(crate) async fn aside<T: Send + 'static>(
    big: bool,
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    if big {
        tokio::task::spawn_blocking(work)
            .await
            .map_err(Fault::internal)?
    } else {
        work()
    }
}
