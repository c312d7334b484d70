//! What came of alert rules.

mod acknowledge;
mod list;
mod resolve;
mod show;

pub(crate) use acknowledge::acknowledge_incident;
pub(crate) use list::list_incidents;
pub(crate) use resolve::resolve_incident;
pub(crate) use show::show_incident;
