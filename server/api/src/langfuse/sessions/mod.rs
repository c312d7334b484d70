//! Sessions.

mod list;
mod shape;
mod show;

pub(crate) use list::list_sessions;
pub(crate) use show::show_session;
