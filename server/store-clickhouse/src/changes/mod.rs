//! Changes of observations and traces: how they are encoded and read.

/// The columns of the table.
pub(crate) mod columns;
/// Changes of one project as one block of columns.
mod encode;
/// The changes of some observations and traces.
mod of_subjects;
/// What a block changes.
mod subjects;

pub use encode::encode;
pub use of_subjects::of_subjects;
pub use subjects::Changed;
pub(crate) use subjects::subjects;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[("changes/of_subjects.sql", of_subjects::SQL)];
