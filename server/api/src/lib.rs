//! REST: what programs read and change, the health of the server, and the document of all this.
//!
//! **Invariants:** every route stands in [`routes::all`], from which the router and the `OpenAPI`
//! document are made, so that none can be forgotten by a test that walks it; a route of a project
//! cannot be reached without a key; every failure is an RFC 9457 problem.
//!
//! To add an endpoint: `v1/<noun>/<verb>.rs`, a line in `routes.rs`, its schema in `schemas.json`, a
//! test at the same path below `tests/it/api`.

/// Keys in headers.
pub mod auth;
/// Failures as RFC 9457 problems.
mod error;
/// What handlers take from requests.
mod extract;
/// Whether the server lives, is ready, and what it counts.
mod health;
/// The public API of Langfuse.
mod langfuse;
/// Bytes of attachments under signed addresses.
mod media;
/// The API described for programs and people.
pub mod openapi;
/// Every URL, in reading order.
pub mod routes;
/// Texts that wait in memory or in a file.
mod scratch;
/// Answers that hold something while they are sent.
mod sending;
/// Shapes of answers.
mod shape;
/// Version 1 of the API.
mod v1;

pub use langfuse::{RECORDS as EXPORTED_RECORDS, share as share_with_browsers};
pub use routes::router;
