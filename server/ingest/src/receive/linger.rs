//! Reading on for a moment after a refusal.
//!
//! A client reads its answer after it has sent its body. If the connection were closed on what is
//! still coming, the system would reset it, and the client would see a broken connection instead of
//! the reason. So a body that is not wanted is read and forgotten for a while.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::{Stream, StreamExt};

/// After that the connection is closed after all.
const LINGER: Duration = Duration::from_secs(5);

/// A body that is read on in the background when it is dropped before its end.
pub(super) struct Lingering {
    rest: Option<BodyDataStream>,
}

impl Lingering {
    pub(super) fn new(body: Body) -> Self {
        Lingering {
            rest: Some(body.into_data_stream()),
        }
    }
}

impl Stream for Lingering {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(rest) = &mut self.rest else {
            return Poll::Ready(None);
        };
        let polled = rest.poll_next_unpin(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.rest = None;
        }
        polled
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some(mut rest) = self.rest.take() else {
            return;
        };
        let forget = async move { while let Some(Ok(_)) = rest.next().await {} };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(LINGER, forget));
        }
    }
}
