//! How long what is kept: days by tier and environment, what would go, and what the last look found.

/// What is entered.
mod form;
/// Which traces keep their contents, as a form.
mod sampling;
/// The page and what is asked of it.
mod show;

pub(crate) use show::{RetentionPage, set_content_sampling, set_retention, show_retention};
