//! The public API of Langfuse, for programs that were written for it: everything below
//! `/api/public`, in its shapes, status codes and words. What is missing and what differs on purpose
//! stands in `docs/langfuse.md`.
//!
//! **Invariants:** every route stands in [`routes`] with the family of its errors, so that no handler
//! decides how a failure looks; keys give a [`service::ProjectScope`] by the same check as everywhere.
//!
//! To add a route: `<noun>/<verb>.rs`, what it answers in `<noun>/shape.rs`, a line in `routes.rs`,
//! and out of the table in `docs/langfuse.md` with it.

/// Queues for people who judge.
mod annotation_queues;
/// Bodies, read field by field.
mod body;
/// Remarks on things.
mod comments;
/// Contents as they are read.
mod content;
/// Browsers of other origins.
mod cors;
/// Failures in the words of each family of routes.
mod error;
/// What a list is narrowed to.
mod filter;
/// Groups of fields.
mod groups;
/// Whether the server lives.
mod health;
/// Attachments; their bytes come and go by signed addresses.
mod media;
/// Observations.
mod observations;
/// Pages by number.
mod paging;
/// What stands in a path.
mod path;
/// The project of a key.
mod projects;
/// Prompts.
mod prompts;
/// Query parameters.
mod query;
/// Every path, in reading order.
mod routes;
/// What scores may be.
mod score_configs;
/// Scores, without what sends them: that comes the way of all telemetry.
mod scores;
/// Sessions.
mod sessions;
/// Instants with milliseconds.
mod time;
/// Traces.
mod traces;

pub use cors::share;
pub(crate) use routes::router;
