//! Conversations: what traces share.

use crate::time::Timestamp;

/// A conversation, as its spans tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id, unique within the project.
    pub id: String,
    /// Start of the first span that names it.
    pub start: Timestamp,
    /// Where that was.
    pub environment: String,
}
