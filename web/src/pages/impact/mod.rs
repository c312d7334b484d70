//! What semantic events and incidents do to the business.

/// The state of the page.
pub(crate) mod query;
/// The page.
mod show;
/// Words for what went wrong and what happened.
pub(crate) mod words;

pub(crate) use show::{ImpactPage, show_impact};
