//! Use cases: one function each; no HTTP, no SQL.
//!
//! **Invariant:** whatever belongs to a project is reached through a [`ProjectScope`], and that is
//! made only by [`auth`].

/// API keys of a project.
pub mod api_keys;
/// What every use case needs: stores, spool, clock.
pub mod app;
/// Who is asking: keys and passwords.
pub mod auth;
/// The first organisation, project, key and person.
pub mod bootstrap;
/// The only source of the current time.
pub mod clock;
/// Numbers that only grow, for `/metrics`.
pub mod counters;
/// Spans and log records on their way in.
pub mod ingestion;
/// Log records of a trace, and among the events of its spans.
pub mod logs;
/// Members of an organisation.
pub mod members;
/// Names and addresses as people type them.
mod names;
/// What models cost a project.
pub mod prices;
/// Projects of a person.
pub mod projects;
/// Prompts: list, show, create, label, delete.
pub mod prompts;
/// History priced anew.
pub mod reprice;
/// Proof that somebody may enter a project.
pub mod scope;
/// Spans: list, show.
pub mod spans;
/// Traces: list, density, open, delete.
pub mod traces;

pub use app::{App, Parts, Settings};
pub use clock::Clock;
pub use scope::ProjectScope;
