//! Answers that hold something while they are sent: memory, a file, a turn.
//!
//! **Invariant:** a client that takes nothing for half a minute loses its answer, so that it cannot hold
//! those things for ever. The answer is cut in a way that the client notices.

use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::{Stream, StreamExt, stream};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// How long a client may take nothing.
const PATIENCE: Duration = Duration::from_secs(30);

/// A piece on its way, or the end of an answer that is whole.
enum Part {
    Piece(Bytes),
    End,
}

/// The pieces as a body. They are made only as fast as the client takes them. One that fails is
/// logged and cuts the answer.
pub(crate) fn body(pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Body {
    body_with_patience(pieces, PATIENCE)
}

fn body_with_patience(
    pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    patience: Duration,
) -> Body {
    // A task of its own: the connection does not run what it has no room to send.
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut pieces = pin!(pieces);
        loop {
            let part = match pieces.next().await {
                Some(Ok(piece)) => Part::Piece(piece),
                Some(Err(error)) => {
                    tracing::error!(error = %error, "an answer broke off");
                    return;
                }
                None => Part::End,
            };
            let is_end = matches!(part, Part::End);
            match timeout(patience, sender.send(part)).await {
                Ok(Ok(())) if !is_end => {}
                Ok(_) => return,
                Err(_) => {
                    tracing::debug!("a client took nothing of its answer and lost it");
                    return;
                }
            }
        }
    });
    let parts = stream::unfold(Some(receiver), async |receiver| {
        let mut receiver = receiver?;
        match receiver.recv().await {
            Some(Part::Piece(piece)) => Some((Ok(piece), Some(receiver))),
            Some(Part::End) => None,
            None => Some((Err(io::Error::from(io::ErrorKind::TimedOut)), None)),
        }
    });
    // What compresses an answer asks for more after its end.
    Body::from_stream(parts.fuse())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::to_bytes;

    use super::*;

    fn pieces(held: Arc<()>, count: u8) -> impl Stream<Item = io::Result<Bytes>> {
        stream::iter(0..count).map(move |n| {
            let _held = &held;
            Ok(Bytes::from(vec![n]))
        })
    }

    #[tokio::test]
    async fn all_pieces_come_in_order_and_then_the_end() {
        let body = body(pieces(Arc::default(), 5));
        assert_eq!(to_bytes(body, 100).await.unwrap(), vec![0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn after_the_end_there_is_nothing_more() {
        let mut data = body(pieces(Arc::default(), 1)).into_data_stream();
        assert!(data.next().await.is_some());
        for _ in 0..3 {
            assert!(data.next().await.is_none());
        }
    }

    #[tokio::test]
    async fn a_client_that_takes_nothing_holds_nothing_and_notices() {
        let held = Arc::new(());
        let body = body_with_patience(pieces(Arc::clone(&held), 5), Duration::from_millis(1));
        while Arc::strong_count(&held) > 1 {
            tokio::task::yield_now().await;
        }
        assert!(to_bytes(body, 100).await.is_err());
    }

    #[tokio::test]
    async fn a_piece_that_fails_cuts_the_answer() {
        let failing = stream::iter([
            Ok(Bytes::from_static(b"a")),
            Err(io::ErrorKind::NotFound.into()),
        ]);
        assert!(to_bytes(body(failing), 100).await.is_err());
    }
}
