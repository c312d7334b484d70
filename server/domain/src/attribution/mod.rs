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

pub use answer::Attribution;
pub use request::{Request, Unanswerable};
pub use rows::{Column, Dimension, Rows};
pub use tier::Axis;
