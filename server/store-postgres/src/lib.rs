//! Accounts, keys and sessions in Postgres: the only SQL for it.
//!
//! **Invariants:** ids and times are made by the caller, so that a repetition stores the same row;
//! whatever belongs to a project or organisation is asked for with its id, and what is not is in
//! [`instance`]; names of constraints are API (see [`StoreError::on_constraint`]).
//!
//! To add a query: a function with `query!` or `query_as!` in the module of its noun (columns that several
//! queries read stand in a macro there, for checked queries must be literals), then
//! `make sqlx`. To add a table: the next number in `migrations/postgres`, never an edit of a file
//! that has landed.

/// Alerts: rules, channels, incidents, messages.
pub mod alerts;
/// How queues are worked on: rules, reservations, judgements, decisions.
pub mod annotation;
/// What waits in queues for people who judge.
pub mod annotation_items;
/// Queues for people who judge, and who works on them.
pub mod annotation_queues;
/// API keys of projects and organisations.
pub mod api_keys;
/// Who changed what and when.
pub mod audit;
/// Exports to object stores.
pub mod blob_storage;
/// What is done to many traces at once.
pub mod bulk_jobs;
/// What happened in the business.
pub mod business_events;
/// Remarks on things of a project.
pub mod comments;
/// Links by which anybody may see a dashboard.
pub mod dashboard_links;
/// Charts that members put together.
pub mod dashboards;
/// Datasets of a project: items with their history, runs.
pub mod datasets;
/// Users who are forgotten.
pub mod deletions;
/// What can go wrong, and which constraint said so.
mod error;
/// Evaluators, what waits for them, what they did.
pub mod evaluators;
/// Filters that fill queues and datasets.
pub mod fills;
/// What GPUs of a project's own cost.
pub mod gpu_prices;
/// Who people are at providers of OpenID Connect.
pub mod identities;
/// What belongs to no project: the first start, and who signs in.
pub mod instance;
/// How to reach providers of models.
pub mod llm_connections;
/// What projects do not want stored.
pub mod masking;
/// Attachments, without their bytes.
pub mod media;
/// Members of an organisation.
pub mod members;
/// Whom comments name.
pub mod mentions;
/// How soon answers should come.
pub mod objectives;
/// Organisations, as the operator manages them.
pub mod organisations;
/// Connections, transactions, migrations.
mod pool;
/// Prices that projects set.
pub mod prices;
/// Roles within one project.
pub mod project_members;
/// Projects of an organisation.
pub mod projects;
/// Prompts of a project.
pub mod prompts;
/// Whether a project shows its public traces to anybody.
pub mod public_links;
/// What projects expect of answers.
pub mod quality_rules;
/// Projects that were removed.
pub mod removed_projects;
/// Histories being priced anew.
pub mod reprices;
/// How long projects keep what.
pub mod retention;
/// Labels of prompts that go back to an earlier version.
pub mod rollbacks;
/// States of lists that people named.
pub mod saved_views;
/// What scores of a project may be.
pub mod score_configs;
/// Targets that metrics are fetched from.
pub mod scrape_targets;
/// Secrets that all servers share.
pub mod server_secrets;
/// Who is signed in where.
pub mod sign_ins;
/// How requests find their instances, and these their GPUs.
pub mod topologies;
/// Keys that went with their project or organisation.
pub mod used_keys;

pub use error::StoreError;
pub use pool::{Postgres, Transaction};
pub use tower_sessions_sqlx_store::PostgresStore as SessionStore;
