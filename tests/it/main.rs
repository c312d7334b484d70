//! Black-box tests, at the path of what they test. Run them with `make test`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and may read its environment and the clock"
)]

mod alerts;
mod api;
mod attributions;
mod audit_log;
mod cases;
mod connections;
mod deletions;
mod docs;
mod engines;
mod evaluators;
mod faults;
mod fixtures;
mod fleet;
mod ingest;
mod langfuse;
mod masking;
mod permissions;
mod private_files;
mod retention;
mod scrape;
mod sdk;
mod settings;
mod start;
mod store;
mod tenancy;
mod web;
