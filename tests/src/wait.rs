//! Waiting for something to become true: no test sleeps and hopes.

use std::fmt::Debug;
use std::future::Future;
use std::time::{Duration, Instant};

/// Asks again and again until `probe` gives `Ok`, for at most half a minute.
pub async fn eventually<T, E: Debug, F: Future<Output = Result<T, E>>>(
    what: &str,
    probe: impl FnMut() -> F,
) -> T {
    eventually_within(Duration::from_secs(30), what, probe).await
}

/// Asks again and again until `probe` gives `Ok`; panics with the last refusal after `limit`.
pub async fn eventually_within<T, E: Debug, F: Future<Output = Result<T, E>>>(
    limit: Duration,
    what: &str,
    mut probe: impl FnMut() -> F,
) -> T {
    let begun = Instant::now();
    loop {
        match probe().await {
            Ok(value) => return value,
            Err(refusal) if begun.elapsed() > limit => {
                panic!("{what}: not within {limit:?}: {refusal:?}");
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}
