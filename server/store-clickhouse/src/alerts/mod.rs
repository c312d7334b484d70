//! What alerts look at: requests and scores, cut into steps of time.

/// Requests by step and group.
mod cells;
/// Scores of one name by step.
mod scores;

pub use cells::{ByMeasure, MAX_ROWS, Question, Steps, cells, cells_of_each};
pub use scores::scores;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("alerts/cells.sql", cells::SQL),
    ("alerts/scores.sql", scores::SQL),
];
