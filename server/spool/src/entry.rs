//! What goes in, what comes out, what can go wrong.

use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use domain::Timestamp;

/// Something to keep until the store has it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Rows in it; batches are counted in rows.
    pub rows: u32,
    /// Bytes that it takes up once it is decoded; batches are limited by them.
    pub weight: u32,
    /// When it was received.
    pub received: Timestamp,
    /// The rows, encoded.
    pub data: Bytes,
}

/// The place of an entry in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(pub u64);

/// An entry as it comes out.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its place.
    pub sequence: Sequence,
    /// When it was received.
    pub received: Timestamp,
    /// Rows in it.
    pub rows: u32,
    /// The rows, encoded.
    pub data: Bytes,
}

/// Whole entries, oldest first.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The same for the same entries, also after a crash; differs between any two spools.
    pub token: String,
    /// The entries.
    pub entries: Vec<Stored>,
    pub(crate) id: u64,
}

/// An entry that could not be stored.
#[derive(Clone, Debug)]
pub struct SetAside {
    /// Its place in the queue that it left.
    pub sequence: Sequence,
    /// Why it could not be stored.
    pub reason: String,
    /// Rows in it.
    pub rows: u32,
    /// Its size.
    pub bytes: u64,
    /// When it was received.
    pub received: Timestamp,
}

/// How much is in the spool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Entries that the store does not have yet.
    pub entries: u64,
    /// Rows in them.
    pub rows: u64,
    /// Bytes in them, those set aside included.
    pub bytes: u64,
    /// The limit of bytes.
    pub max_bytes: u64,
    /// Age of the oldest entry that the store does not have; `None` when it has all.
    pub oldest_age: Option<domain::Nanos>,
    /// Entries set aside.
    pub set_aside: u64,
    /// Whether the disk refused the last write.
    pub failing: bool,
}

/// Why the spool cannot do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SpoolError {
    /// Over its limit of bytes; it drains when the store is back.
    #[error("spool is full: {bytes} of {max_bytes} bytes")]
    Full {
        /// Bytes in it.
        bytes: u64,
        /// Bytes allowed.
        max_bytes: u64,
    },
    /// The disk refuses.
    #[error("spool cannot use its disk")]
    Failing(#[source] Arc<dyn Error + Send + Sync>),
    /// Shutting down.
    #[error("spool is closed")]
    Closed,
}

impl SpoolError {
    pub(crate) fn failing(error: impl Error + Send + Sync + 'static) -> Self {
        SpoolError::Failing(Arc::new(error))
    }
}
