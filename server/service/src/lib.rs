//! Use cases: one function each; no HTTP, no SQL.
//!
//! **Invariant:** whatever belongs to a project is reached through a [`ProjectScope`], whatever belongs to
//! an organisation through an [`OrganisationScope`], and both are made only by [`auth`].

/// Alerts: settings, channels, rules; looking at rules, telling of it.
pub mod alerts;
/// Work on these queues: rules, filling, judgements, agreement.
pub mod annotation;
/// Queues for people who judge: list, show, create, fill, assign.
pub mod annotation_queues;
/// Answers about much telemetry, given again for a while.
mod answers;
/// API keys of projects and organisations.
pub mod api_keys;
/// What every use case needs: stores, spool, clock.
pub mod app;
/// What a window's symptom comes from, for whoever asks and for incidents.
pub mod attributions;
/// Who did what and who saw what.
pub mod audit;
/// Who is asking: keys and passwords.
pub mod auth;
/// Requests with the state of their GPUs and engines.
pub mod axes;
/// Exports to object stores: set, show, delete, run.
pub mod blob_storage;
/// The first organisation, project, key and person.
pub mod bootstrap;
/// What is done to many traces at once: create, list, show, cancel, run.
pub mod bulk;
/// What happened in the business: take, list, delete.
pub mod business_events;
/// What prompt caches save.
pub mod caches;
/// What changes of observations and traces come to.
mod changes;
/// The only source of the current time.
pub mod clock;
/// Remarks on things: list, show, create.
pub mod comments;
/// Completions of chats through connections of a project.
pub mod completions;
/// Which traces keep their contents.
pub mod content_sampling;
/// Costs over time and by what they are for.
pub mod costs;
/// Numbers that only grow, for `/metrics`.
pub mod counters;
/// Dashboards, and what their widgets come to.
pub mod dashboards;
/// Datasets: write, list, show; their items; runs over them.
pub mod datasets;
/// Users who are forgotten: ask, preview, list, show, run.
pub mod deletions;
/// What scores spans by itself: models that judge, and rules.
pub mod evaluators;
/// Experiments: list, items, scores.
pub mod experiments;
/// Ids that operators gave as any text.
pub mod external_ids;
/// Values of columns among the traces of a list.
pub mod facets;
/// Puts what filters find into queues and datasets.
pub mod fills;
/// The first key of a project.
mod first_key;
/// What GPUs of one's own cost, and what they yielded.
pub mod gpu_prices;
/// What semantic events and incidents do to the business.
pub mod impact;
/// What came of alert rules: list, show, acknowledge, resolve.
pub mod incidents;
/// Spans and log records on their way in.
pub mod ingestion;
/// New traces as they land, for whoever listens.
pub mod live;
/// How to reach providers of models.
pub mod llm_connections;
/// Log records of a trace, and among the events of its spans.
pub mod logs;
/// What must not be stored: set, counted, tried out.
pub mod masking;
/// Attachments: announce, receive, show, fetch.
pub mod media;
/// Members of an organisation.
pub mod members;
/// Comments that name somebody.
pub mod mentions;
/// Numbers over many traces, observations or scores.
pub mod metrics;
/// Models with their prices.
pub mod models;
/// Names and addresses as people type them.
mod names;
/// Lists by number: traces, spans, sessions.
pub mod numbered;
/// How soon answers should come, and the share that do.
pub mod objectives;
/// Dashboards that anybody may see who has their link.
pub mod open_dashboards;
/// Traces that were opened lately.
mod opened;
/// Organisations, as the operator manages them.
pub mod organisations;
/// Requests to addresses that others gave.
pub mod outbound;
/// What models cost a project.
pub mod prices;
/// Settings of projects in memory.
mod project_cache;
/// Projects of a person, and of an organisation.
pub mod projects;
/// Prompts: list, show, create, label, delete.
pub mod prompts;
/// Traces that anybody may see.
pub mod public_links;
/// What a project expects of answers.
pub mod quality_rules;
/// Reads of whole traces take turns.
mod reads;
/// History priced anew.
pub mod reprice;
/// How long what is kept.
pub mod retention;
/// Labels of prompts that go back to an earlier version.
pub mod rollback;
/// Sessions and users: list.
pub mod rollups;
/// What clients should record right now.
pub mod sampling;
/// States of lists that people named.
pub mod saved_views;
/// Proof that somebody may enter a project, or manage an organisation.
pub mod scope;
/// What scores may be: list, show, create, update.
pub mod score_configs;
/// Scores: take, list, show, delete.
pub mod scores;
/// Targets that metrics are fetched from: list, create, update, delete, test, run.
pub mod scrape_targets;
/// What went wrong in the meaning of answers: list.
pub mod semantic_events;
/// Series of metrics: keep, list, values over time.
pub mod series;
/// One session: its turns.
pub mod sessions;
/// Spans: list, show.
pub mod spans;
/// How requests find their instances, and these their GPUs.
pub mod topology;
/// Traces: list, density, open, delete.
pub mod traces;
/// Work that servers take turns at.
mod turns;
/// Credentials of others, sealed.
pub mod vault;
/// A whole trace with the content of all its spans.
pub mod whole;
/// Stretches of time that reports are about.
mod window;

pub use app::{App, Parts, Settings};
pub use clock::Clock;
pub use reads::Turn;
pub use scope::{OperatorScope, OrganisationScope, ProjectScope, ScoreWriter};
pub use vault::Vault;
