//! Big work away from the threads that answer requests.

use domain::Fault;
use tokio::runtime::Handle;

/// Big work is done on a thread of its own, so that small requests need not wait for it; all of it on the
/// same, also where it waits in between.
///
/// # Errors
/// What the work says; `internal` when it panics there.
pub(crate) async fn aside<T: Send + 'static>(
    big: bool,
    work: impl Future<Output = Result<T, Fault>> + Send + 'static,
) -> Result<T, Fault> {
    if !big {
        return work.await;
    }
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || runtime.block_on(work))
        .await
        .map_err(Fault::internal)?
}
