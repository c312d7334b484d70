//! Experiments: what spans tell of them.
//!
//! **Invariant:** every read here says `experiment_id > ''`, or names the ids: then the index of the
//! column leaves out all spans that are part of no experiment.

/// Items of experiments, newest first.
mod items;
/// Those of some ids that there are.
mod known;
/// Experiments, newest first.
mod list;

pub use items::items;
pub use known::known;
pub use list::{Extract, list};

use domain::Timestamp;
use domain::filter::Condition;

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("experiments/list.sql", list::SQL),
    ("experiments/items.sql", items::SQL),
    ("experiments/known.sql", known::SQL),
];

/// Which experiments, or items of them, are looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Spans that began then or later.
    pub from: Timestamp,
    /// And before.
    pub to: Timestamp,
    /// Of these experiments; of any where there are none.
    pub ids: Vec<String>,
    /// What holds of the spans.
    pub conditions: Vec<Condition>,
}
