//! Scores: how they are encoded and read.

/// The columns of the table.
pub(crate) mod columns;
/// Scores of one project as one block of columns.
mod encode;
/// The scores of some traces.
mod of_traces;

pub use encode::encode;
pub use of_traces::of_traces;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[("scores/of_traces.sql", of_traces::SQL)];
