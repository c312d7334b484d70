//! Spans.

mod list;

pub(crate) use list::list_spans;
