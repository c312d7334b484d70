//! What alerts look at: requests, cut into steps of time.

/// Requests by step and group.
mod cells;

pub(crate) use cells::SQL;
pub use cells::{MAX_ROWS, Question, cells};

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[("alerts/cells.sql", SQL)];
