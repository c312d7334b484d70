//! The public API of Langfuse, for programs that were written for it: everything below
//! `/api/public`, in its shapes, status codes and words. What is missing and what differs on purpose
//! stands in `docs/langfuse.md`.
//!
//! **Invariants:** every route stands in [`routes`] with the family of its errors, so that no handler
//! decides how a failure looks; keys give a [`service::ProjectScope`] or a
//! [`service::OrganisationScope`] by the same check as everywhere.
//!
//! To add a route: `<noun>/<verb>.rs`, what it answers in `<noun>/shape.rs`, a line in `routes`,
//! and out of the table in `docs/langfuse.md` with it.

/// Whose key a route takes.
mod access;
/// Organisations, for the operator.
mod admin;
/// Queues for people who judge.
mod annotation_queues;
/// Exports to object stores.
mod blob_storage;
/// Bodies, read field by field.
mod body;
/// Remarks on things.
mod comments;
/// Comparisons of conditions.
mod comparison;
/// Contents as they are read.
mod content;
/// Browsers of other origins.
mod cors;
/// Items of datasets.
mod dataset_items;
/// Runs over datasets.
mod dataset_runs;
/// Datasets.
mod datasets;
/// Failures in the words of each family of routes.
mod error;
/// Experiments.
mod experiments;
/// Things as they are exported.
mod exported;
/// What a list is narrowed to.
mod filter;
/// Groups of fields.
mod groups;
/// Whether the server lives.
mod health;
/// How to reach providers of models.
mod llm_connections;
/// Attachments; their bytes come and go by signed addresses.
mod media;
/// Numbers over many traces, observations or scores.
mod metrics;
/// What models cost.
mod models;
/// Observations.
mod observations;
/// What keys of organisations manage.
mod organisations;
/// Pages by number.
mod paging;
/// What stands in a path.
mod path;
/// Projects.
mod projects;
/// Prompts.
mod prompts;
/// Query parameters.
mod query;
/// Every path, in reading order.
mod routes;
/// Members of an organisation, as identity providers manage them.
mod scim;
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
/// Usage and costs.
mod usage;

pub use cors::share;
pub use exported::RECORDS;
pub(crate) use routes::router;
