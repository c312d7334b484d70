//! Traces.

mod columns;
mod delete;
mod list;
mod shape;
mod show;
/// One with all that belongs to it.
mod whole;

pub(crate) use delete::{delete_trace, delete_traces};
pub(crate) use list::list_traces;
pub(crate) use shape::TraceShape;
pub(crate) use show::show_trace;
