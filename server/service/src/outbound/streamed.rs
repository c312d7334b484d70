//! An answer whose body is read while it comes.

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout_at};

use super::connection::Connection;
use super::{Answer, OutboundError};

/// An answer of which the head is there. The connection ends when it is dropped.
pub struct Streamed {
    /// Its status, whatever that is.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    body: Incoming,
    left: usize,
    until: Instant,
    _connection: Connection,
}

impl Streamed {
    /// Of what came, with the bytes that its body may have and the time until when.
    pub(super) fn new(
        answer: Response<Incoming>,
        connection: Connection,
        (left, until): (usize, Instant),
    ) -> Self {
        let (head, body) = answer.into_parts();
        Streamed {
            status: head.status,
            headers: head.headers,
            body,
            left,
            until,
            _connection: connection,
        }
    }

    /// The next piece of the body; `None` at its end.
    ///
    /// # Errors
    /// When the connection breaks off, or the body takes longer or is longer than the limits say.
    pub async fn next(&mut self) -> Result<Option<Bytes>, OutboundError> {
        loop {
            let frame = timeout_at(self.until, self.body.frame()).await;
            let Some(frame) = frame.map_err(|_| OutboundError::Timeout)? else {
                return Ok(None);
            };
            let frame = frame.map_err(|error| OutboundError::BrokeOff(error.into()))?;
            // Trailers say nothing that is wanted.
            let Ok(piece) = frame.into_data() else {
                continue;
            };
            let left = self.left.checked_sub(piece.len());
            self.left = left.ok_or(OutboundError::TooLong)?;
            return Ok(Some(piece));
        }
    }

    /// All of it.
    ///
    /// # Errors
    /// As [`Streamed::next`].
    pub async fn whole(mut self) -> Result<Answer, OutboundError> {
        let mut body = BytesMut::new();
        while let Some(piece) = self.next().await? {
            body.extend_from_slice(&piece);
        }
        Ok(Answer {
            status: self.status,
            headers: self.headers,
            body: body.freeze(),
        })
    }
}
