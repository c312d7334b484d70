//! Accounts, keys and sessions in Postgres: the only SQL for it.
//!
//! **Invariants:** ids and times are made by the caller, so that a repetition stores the same row;
//! whatever belongs to a project or organisation is asked for with its id, and what is not is in
//! [`instance`]; names of constraints are API (see [`StoreError::on_constraint`]).
//!
//! To add a query: a function with `query!` or `query_as!` in the module of its noun, then
//! `make sqlx`. To add a table: the next number in `migrations/postgres`, never an edit of a file
//! that has landed.

/// What waits in queues for people who judge.
pub mod annotation_items;
/// Queues for people who judge, and who works on them.
pub mod annotation_queues;
/// API keys of a project.
pub mod api_keys;
/// Remarks on things of a project.
pub mod comments;
/// What can go wrong, and which constraint said so.
mod error;
/// What GPUs of a project's own cost.
pub mod gpu_prices;
/// What belongs to no project: the first start, and who signs in.
pub mod instance;
/// Attachments, without their bytes.
pub mod media;
/// Members of an organisation.
pub mod members;
/// How soon answers should come.
pub mod objectives;
/// Connections, transactions, migrations.
mod pool;
/// Prices that projects set.
pub mod prices;
/// Projects of an organisation.
pub mod projects;
/// Prompts of a project.
pub mod prompts;
/// What projects expect of answers.
pub mod quality_rules;
/// Histories being priced anew.
pub mod reprices;
/// What scores of a project may be.
pub mod score_configs;
/// Secrets that all servers share.
pub mod server_secrets;

pub use error::StoreError;
pub use pool::{Postgres, Transaction};
pub use tower_sessions_sqlx_store::PostgresStore as SessionStore;
