//! Rollback: a label of a prompt goes back to the version that it stood on before a bad one.
//!
//! A [`Policy`] says what becomes of a label when an incident is laid to the version that it stands on. Before a label
//! moves by itself, the [`safety`] net holds the version that it would go to against what was usual before the
//! incident; [`decide`] says what is done and why. Nothing here moves a label: that is the service's.

/// What came of it.
mod action;
/// What is done.
mod decision;
/// What projects set for their labels.
mod policy;
/// What must hold of the version that a label would go to.
pub mod safety;
/// Whom an attribution blames.
mod suspect;

#[cfg(test)]
mod tests;

pub use action::{Rollback, State, shape};
pub use decision::{Decision, Facts, decide};
pub use policy::{Limits, Mode, Policy};
pub use safety::{Check, Vitals};
pub use suspect::{SaysMore, Suspect, blames};
