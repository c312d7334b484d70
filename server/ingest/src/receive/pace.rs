//! How fast a body must come.
//!
//! A body holds memory while it comes: one that trickles in is refused before it has held it long.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, Sleep, sleep};

/// In each of these ...
const WINDOW: Duration = Duration::from_secs(20);
/// ... so much must come: 1 KiB a second.
const WINDOW_BYTES: usize = 20 * 1024;

/// A body that fails with `TimedOut` when it comes too slowly.
pub(super) struct Paced<S> {
    body: S,
    window: Duration,
    came: usize,
    until: Pin<Box<Sleep>>,
}

impl<S> Paced<S> {
    pub(super) fn new(body: S) -> Self {
        Self::within(body, WINDOW)
    }

    fn within(body: S, window: Duration) -> Self {
        Paced {
            body,
            window,
            came: 0,
            until: Box::pin(sleep(window)),
        }
    }
}

impl<S: Stream<Item = io::Result<Bytes>> + Unpin> Stream for Paced<S> {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.body.poll_next_unpin(context);
        match &polled {
            Poll::Ready(Some(Ok(bytes))) => self.came = self.came.saturating_add(bytes.len()),
            Poll::Ready(_) => {}
            Poll::Pending => {
                // Again after a new window has begun, to be woken at its end.
                while self.until.as_mut().poll(context).is_ready() {
                    if self.came < WINDOW_BYTES {
                        return Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into())));
                    }
                    self.came = 0;
                    let next = Instant::now() + self.window;
                    self.until.as_mut().reset(next);
                }
            }
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    /// Some pieces, one after the other with a pause before each; then silence.
    fn pieces(count: usize, length: usize) -> impl Stream<Item = io::Result<Bytes>> + Unpin {
        let pieces = stream::iter(0..count).then(move |_| async move {
            sleep(Duration::from_millis(10)).await;
            Ok(Bytes::from(vec![0; length]))
        });
        Box::pin(pieces.chain(stream::pending()))
    }

    #[tokio::test]
    async fn a_body_that_trickles_fails_and_a_fast_one_goes_on_until_it_stalls() {
        for (length, least, most) in [(1, 1, 39), (WINDOW_BYTES, 40, 40)] {
            let mut body = Paced::within(pieces(40, length), Duration::from_millis(60));
            let mut came = 0;
            let error = loop {
                match body.next().await {
                    Some(Ok(_)) => came += 1,
                    Some(Err(error)) => break error,
                    None => unreachable!("it never ends"),
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            assert!((least..=most).contains(&came), "{came} of {length} bytes");
        }
    }
}
