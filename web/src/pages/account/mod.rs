//! One's own account.

/// Changes one's password.
mod change_password;
/// Who one is, and the form for another password.
mod show;
/// Where one is signed in, and the end of it.
mod sign_ins;

pub(crate) use change_password::change_password;
pub(crate) use show::{AccountPage, show_account};
pub(crate) use sign_ins::{end_others, end_sign_in};
