//! Log records: how they are encoded, inserted and read.

/// The records of a trace.
mod by_trace;
/// The columns of the table.
pub(crate) mod columns;
/// Records of one project as one block of columns.
mod encode;

pub use by_trace::by_trace;
pub use encode::encode;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[("logs/by_trace.sql", by_trace::SQL)];
