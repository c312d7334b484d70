//! Use cases: one function each; no HTTP, no SQL.
//!
//! **Invariant:** whatever belongs to a project is reached through a [`ProjectScope`], and that is
//! made only by [`auth`].

/// Queues for people who judge: list, show, create, fill, assign.
pub mod annotation_queues;
/// API keys of a project.
pub mod api_keys;
/// What every use case needs: stores, spool, clock.
pub mod app;
/// Who is asking: keys and passwords.
pub mod auth;
/// The first organisation, project, key and person.
pub mod bootstrap;
/// What changes of observations and traces come to.
mod changes;
/// The only source of the current time.
pub mod clock;
/// Remarks on things: list, show, create.
pub mod comments;
/// Numbers that only grow, for `/metrics`.
pub mod counters;
/// What GPUs of one's own cost, and what they yielded.
pub mod gpu_prices;
/// Spans and log records on their way in.
pub mod ingestion;
/// New traces as they land, for whoever listens.
pub mod live;
/// Log records of a trace, and among the events of its spans.
pub mod logs;
/// Attachments: announce, receive, show, fetch.
pub mod media;
/// Members of an organisation.
pub mod members;
/// Names and addresses as people type them.
mod names;
/// Lists by number: traces, spans, sessions.
pub mod numbered;
/// How soon answers should come, and the share that do.
pub mod objectives;
/// What models cost a project.
pub mod prices;
/// Settings of projects in memory.
mod project_cache;
/// Projects of a person.
pub mod projects;
/// Prompts: list, show, create, label, delete.
pub mod prompts;
/// What a project expects of answers.
pub mod quality_rules;
/// Reads of whole traces take turns.
mod reads;
/// History priced anew.
pub mod reprice;
/// Proof that somebody may enter a project.
pub mod scope;
/// What scores may be: list, show, create, update.
pub mod score_configs;
/// Scores: take, list, show, delete.
pub mod scores;
/// Spans: list, show.
pub mod spans;
/// Traces: list, density, open, delete.
pub mod traces;
/// A whole trace with the content of all its spans.
pub mod whole;
/// Stretches of time that reports are about.
mod window;

pub use app::{App, Parts, Settings};
pub use clock::Clock;
pub use reads::Turn;
pub use scope::{ProjectScope, ScoreWriter};
