//! The harness of the black-box tests: a real server on real engines, real clients, a real browser.
//!
//! Most tests share one server ([`shared`]) and keep apart by making a project of their own
//! ([`Server::new_project`]). A test that stops or breaks things starts its own ([`Server::start`]).
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a harness fails the test by panicking, reads its environment and the clock"
)]

/// A headless browser under the control of a test.
pub mod browser;
/// Spans as OTLP/JSON.
pub mod builders;
/// Requests with a project's keys, as programs make them.
mod client;
/// The public API of Langfuse as its own document describes it.
pub mod langfuse;
/// Series by Prometheus' remote write.
pub mod remote_write;
/// Alert rules of tests that are over.
mod rules;
/// A server process with its data directory.
mod server;
/// The server that most tests share.
mod shared;
/// Waiting for something to become true.
mod wait;

pub use client::ProjectClient;
pub use server::{Organisation, Server, Settings, binary, signal};
pub use shared::shared;
pub use wait::{eventually, eventually_within};
