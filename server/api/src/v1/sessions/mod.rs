//! Sessions.

mod list;
mod show;

pub(crate) use list::list_sessions;
pub(crate) use show::show_session;
