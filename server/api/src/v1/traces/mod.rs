//! Traces.

mod delete;
mod list;
mod show;

pub(crate) use delete::delete_trace;
pub(crate) use list::list_traces;
pub(crate) use show::show_trace;
