//! Sign-in and sign-out.

/// Checks what was entered.
mod create;
/// Ends the session.
mod delete;
/// The provider: the way there, and the way back.
mod oidc;
/// The form.
mod show;

pub(crate) use create::create_session;
pub(crate) use delete::delete_session;
pub(crate) use oidc::{begin_oidc, finish_oidc};
pub(crate) use show::{SignInPage, show_sign_in};
