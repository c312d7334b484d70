//! How soon answers should come, and the share of calls that do.

mod create;
mod delete;
mod goodput;
mod list;

pub(crate) use create::create_objective;
pub(crate) use delete::delete_objective;
pub(crate) use goodput::show_goodput;
pub(crate) use list::list_objectives;
