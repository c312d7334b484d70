//! Bodies of requests: in memory, or a file that is read while it is sent.

use std::io;

use bytes::Bytes;
use futures_util::TryStreamExt;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use tokio_util::io::ReaderStream;

/// What is sent.
pub enum Content {
    /// It is in memory.
    Memory(Bytes),
    /// So many bytes of a file from where it stands.
    File(File, u64),
}

pub(super) type Sent = BoxBody<Bytes, io::Error>;

/// Bytes of a file that are in memory at once.
const PIECE: usize = 64 * 1024;

impl Content {
    /// How many bytes it has.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::File(_, bytes) => *bytes,
        }
    }

    pub(super) fn into_body(self) -> Sent {
        match self {
            Content::Memory(bytes) => Full::new(bytes).map_err(|never| match never {}).boxed(),
            Content::File(file, bytes) => {
                let pieces = ReaderStream::with_capacity(file.take(bytes), PIECE);
                BodyExt::boxed(StreamBody::new(pieces.map_ok(Frame::data)))
            }
        }
    }
}
