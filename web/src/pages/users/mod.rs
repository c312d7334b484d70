//! Users of the application: list, show.

/// The list.
mod list;
/// One user.
mod show;

pub(crate) use list::{UsersPage, list_users};
pub(crate) use show::{ToldOfUser, UserPage, show_user};
