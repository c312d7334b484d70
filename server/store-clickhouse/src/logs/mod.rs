//! Log records: how they are encoded, inserted and read.

/// Records outside of traces that may tell of some requests.
mod by_request;
/// The records of a trace.
mod by_trace;
/// The columns of the table.
pub(crate) mod columns;
/// Records of one project as one block of columns.
mod encode;
/// A row, and the record that it is.
mod row;

pub use by_request::by_request;
pub use by_trace::by_trace;
pub use encode::encode;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("logs/by_trace.sql", by_trace::SQL),
    ("logs/by_request.sql", by_request::SQL),
];
