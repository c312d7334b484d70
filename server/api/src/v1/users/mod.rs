//! Users of the application.

mod list;
mod show;

pub(crate) use list::list_users;
pub(crate) use show::show_user;
