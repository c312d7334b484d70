//! The embedded engines: ClickHouse and Postgres as child processes of the server.
//!
//! [`Engines::start`] starts what is not given by address, waits until it answers, keeps it running,
//! and stops it. The children are this same program, started as `engine clickhouse`
//! ([`clickhouse_http::run_child`]) and `engine postgres` ([`postgres::run_child`]).
//!
//! **Invariants**
//! - An address stays the same as long as the server runs, over any restart of an engine.
//! - No engine outlives its server, however that ends; see `docs/decisions/0001-embedded-engines.md`.
//! - An engine that ends or hangs is started again; see [`Limits`] for what counts as hanging.
//! - One server a data directory.
//! - `unsafe` only in `clickhouse_http/library.rs`.
//!
//! To add an engine: a file with its `Plan` beside `clickhouse.rs`, lines in `engine.rs` and
//! `locate.rs`, its package in `engines/package.json`.

/// The user without rights.
mod account;
/// ClickHouse as a child.
mod clickhouse;
/// ClickHouse's HTTP interface over the engine library.
pub mod clickhouse_http;
/// Starting, addresses, stopping.
mod engine;
/// Servers that somebody else runs.
mod external;
/// Children end with their parent.
mod lifeline;
/// Where the engines' files are.
pub mod locate;
/// One server a data directory.
mod lock;
/// Private ports.
mod ports;
/// Postgres as a child.
pub mod postgres;
/// Whether a child that was ready still answers.
mod pulse;
/// Keeps a child running.
mod supervisor;

pub use engine::{Config, EngineError, Engines, Status};
pub use external::AddressError;
pub use lock::LockError;
pub use pulse::Limits;
pub use supervisor::State;
