//! What moved when something went wrong, on which axis, since when, and because of what.
//!
//! Same input, same answer: no clock and no randomness. How it decides is told in `docs/attribution.md`.

/// What an attribution says.
pub mod answer;
/// Why it says so.
pub mod reason;
/// What is asked.
pub mod request;
/// Requests as columns.
pub mod rows;
/// What may cause what.
pub mod tier;

/// How sure it is.
mod confidence;
/// What bad requests have in common.
mod culprits;
/// How values lay before, and how they lie now.
mod distribution;
/// What goes away when a feature is put back.
mod explain;
/// Which features moved.
mod features;
/// Rows by time, window, bin and group.
mod frame;
/// When something changed, and what foretold it.
mod onset;
/// The prompt under suspicion.
mod prompt;
/// What to do.
mod recommendation;
/// Which feature gets which part.
mod shares;
/// Whether a mean moved.
mod shift;
/// Whether there is a symptom.
mod symptom;
/// What happened when.
mod timeline;
/// All steps, one after the other.
mod verdict;
/// The vote by clusters.
mod vote;
/// What follows from more work.
mod work;
/// Whether requests with a value are worse than those beside them.
mod worse;

pub use answer::Attribution;
pub use request::{Request, Unanswerable};
pub use rows::{Column, Dimension, Rows};
pub use tier::Axis;
pub use verdict::attribute;
