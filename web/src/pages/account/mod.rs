//! One's own account.

/// Changes one's password.
mod change_password;
/// Who one is, and the form for another password.
mod show;

pub(crate) use change_password::change_password;
pub(crate) use show::{AccountPage, show_account};
