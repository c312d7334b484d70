//! Correlation: the three axes over time on one clock, why a window was bad, one value by another.

/// Why a window was bad: the part beside the lanes.
mod explain;
/// One value by another.
mod joint;
/// Lines over time.
mod lanes;
/// What changed when.
mod marks;
/// What can be chosen.
mod menus;
/// The state of the page.
pub(crate) mod query;
/// What is missing, and how to send it.
mod setup;
/// The page.
mod show;
/// From a bin to its traces.
mod traces;
/// What the page shows.
mod view;

pub(crate) use explain::{Why, WhyPage, WhyState, explain_window};
pub(crate) use marks::Changes;
pub(crate) use show::{CorrelationPage, Told, show_correlation};
pub(crate) use traces::list_bin;
