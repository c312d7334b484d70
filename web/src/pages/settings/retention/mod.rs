//! How long what is kept: days by tier and environment, what would go, and what the last look found.

/// What is entered.
mod form;
/// The page and what is asked of it.
mod show;

pub(crate) use show::{set_retention, show_retention};
