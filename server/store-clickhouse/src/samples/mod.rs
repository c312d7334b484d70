//! Values of series: how they are encoded and read.

/// The columns of the table.
pub(crate) mod columns;
/// Samples of one project as one block of columns.
mod encode;
/// What series did in each step of a range.
mod steps;

pub use encode::encode;
pub use steps::steps;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[("samples/steps.sql", steps::SQL)];
