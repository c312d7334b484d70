//! Sign-in and sign-out.

/// Checks what was entered.
mod create;
/// Ends the session.
mod delete;
/// The form.
mod show;

pub(crate) use create::create_session;
pub(crate) use delete::delete_session;
pub(crate) use show::{SignInPage, show_sign_in};
