//! Telemetry in ClickHouse: the only ClickHouse SQL of the product.
//!
//! **Invariants:**
//! - every read takes a [`domain::ProjectId`] first and is bound to it, and is bounded in time, memory
//!   and size;
//! - values travel as typed parameters, never in the text of a statement;
//! - order of arrival and repetition do not change what is read (`docs/decisions/0002-spans-table.md`).
//!
//! To add a read: `<noun>/<verb>.sql` and `.rs`, a line in that noun's `QUERIES`. To add a column:
//! `spans/columns.rs` says how.

/// What alerts look at.
pub mod alerts;
/// Rows of one project as one block of columns: what the spool keeps.
pub mod block;
/// Calls of models over a window of time.
pub mod calls;
/// Changes of observations and traces: encode, read.
pub mod changes;
/// The one handle to ClickHouse.
mod client;
/// The one place where a comparison becomes SQL.
mod comparison;
/// Users who are forgotten: find, delete, look for again.
pub mod deletions;
/// What can go wrong.
mod error;
/// Experiments: list, items.
pub mod experiments;
/// The one place where a filter becomes SQL.
mod filter;
/// Log records: encode, read.
pub mod logs;
/// Numbers over many traces, observations or scores.
pub mod metrics;
/// Brings the tables to this version.
mod migrate;
/// A whole project: remove.
pub mod remove;
/// Requests: generations with the spans around them.
pub mod requests;
/// How long what is kept: days, what is past its time, its end.
pub mod retention;
/// Traces summed up by session or by user.
pub mod rollups;
/// Values of series: encode, read.
pub mod samples;
/// Scores: encode, read.
pub mod scores;
/// Semantic events: list, count by trace.
pub mod semantic;
/// Series of metrics: encode, list.
pub mod series;
/// Sessions: list.
pub mod sessions;
/// Spans: encode, read.
pub mod spans;
/// ClickHouse behind TLS.
mod tls;
/// Traces: list, open, delete.
pub mod traces;
/// Attribute values as text.
mod value;
/// From the spool into ClickHouse.
pub mod writer;

pub use client::ClickHouse;
pub use error::StoreError;

/// Every stored read, by file name: the tests explain each.
pub fn all_queries() -> Vec<(&'static str, &'static str)> {
    [
        spans::QUERIES,
        traces::QUERIES,
        logs::QUERIES,
        changes::QUERIES,
        scores::QUERIES,
        calls::QUERIES,
        requests::QUERIES,
        sessions::QUERIES,
        rollups::QUERIES,
        metrics::QUERIES,
        experiments::QUERIES,
        series::QUERIES,
        samples::QUERIES,
        alerts::QUERIES,
        semantic::QUERIES,
        deletions::QUERIES,
        retention::QUERIES,
    ]
    .concat()
}
