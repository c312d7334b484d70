//! A simulated fleet: requests come to serving instances, devices and engines have states, and what goes wrong goes
//! wrong at its source; everything else follows. State → speeds → latency → answers, never backwards.
//!
//! What happens ([`Fleet`], [`History`]) is kept apart from how it is told: [`told`] makes the rows of an attribution,
//! and whoever serves the same fleet over HTTP reads [`Fleet::readings`] and the calls that [`Fleet::advance`] returns.
//! The same scenario happens the same way each time.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and seconds of a simulation are small"
)]

/// How often an attribution is right.
pub mod accuracy;
/// How often a version is blamed.
pub mod blame;
/// What goes wrong.
pub mod cause;
/// The device below an instance.
mod device;
/// An instance: what waits, what runs, how fast.
mod engine;
/// All instances, and time.
pub mod fleet;
/// What happened in a stretch of time.
pub mod history;
/// What is asked while an incident goes on.
pub mod looks;
/// Chance, by a seed.
mod random;
/// Everything that a simulation begins with.
pub mod scenario;
/// History as the rows of an attribution.
pub mod told;
/// Who asks for what.
mod traffic;

pub use cause::{Cause, Truth};
pub use engine::Reading;
pub use fleet::{Call, Fleet};
pub use history::History;
pub use scenario::Scenario;
