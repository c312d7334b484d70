//! Use cases: one function each; no HTTP, no SQL.
//!
//! **Invariant:** whatever belongs to a project is reached through a [`ProjectScope`], and that is
//! made only by [`auth`].

/// What every use case needs: stores, spool, clock.
pub mod app;
/// The only source of the current time.
pub mod clock;
/// Numbers that only grow, for `/metrics`.
pub mod counters;
/// Proof that somebody may enter a project.
pub mod scope;
/// Who is asking: keys and passwords.
pub mod auth;
/// Spans on their way in.
pub mod ingestion;
/// Traces: list, density, open, delete.
pub mod traces;
/// Spans: list, show.
pub mod spans;
/// Names and addresses as people type them.
mod names;
/// Projects of a person.
pub mod projects;
/// Members of an organisation.
pub mod members;
/// API keys of a project.
pub mod api_keys;
/// The first organisation, project, key and person.
pub mod bootstrap;

pub use app::{App, Parts, Settings};
pub use clock::Clock;
pub use scope::ProjectScope;
