//! Spans: how they are encoded, inserted and read.

/// Many blocks as one insert.
pub(crate) mod batch;
/// Spans of one project as one block of columns: what the spool keeps.
pub mod block;
/// The spans of a trace as its tree shows them.
mod by_trace;
/// The columns of the table.
mod columns;
/// One span as the bytes of its columns.
mod encode;
/// The list: newest first, each once.
mod list;
/// The trace of a span whose id alone is known.
mod locate;
/// The parts of one column while rows are written to it.
mod out;
/// Judgements as numbers.
mod quality;
/// A stored row as a span.
pub(crate) mod row;
#[cfg(test)]
pub(crate) mod samples;
/// Each text once: attributes that repeat the input or output.
mod sharing;
/// Attribute values as text.
mod value;
/// Whole spans.
mod whole;

pub use by_trace::by_trace;
pub use list::{is_ours, list};
pub use locate::locate;
pub use whole::{of_trace, show};

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("spans/by_trace.sql", by_trace::SQL),
    ("spans/whole.sql", whole::SQL),
    ("spans/find.sql", list::SQL),
    ("spans/locate.sql", locate::SQL),
];
