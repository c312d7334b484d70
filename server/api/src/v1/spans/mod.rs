//! Spans.

mod list;
mod mapping;

pub(crate) use list::list_spans;
pub(crate) use mapping::show_mapping;
