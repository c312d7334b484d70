//! Costs by what they are for, and what caches save.

/// What caches save.
mod cache;
/// The state of the page of costs, as its address holds it.
pub(crate) mod query;
/// Costs by what they are for.
mod show;

pub(crate) use cache::{CachePage, EngineCaches, show_cache};
pub(crate) use show::{CostsPage, show_costs};
