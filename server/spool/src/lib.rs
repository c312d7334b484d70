//! spool

/// The durable queue.
pub struct Spool;
