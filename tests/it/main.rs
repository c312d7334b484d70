//! Black-box tests, at the path of what they test. Run them with `make test`.
#![expect(missing_docs, reason = "a test's name says what it checks")]

mod api;
mod cases;
mod docs;
mod engines;
mod faults;
mod fixtures;
mod ingest;
mod sdk;
mod store;
mod tenancy;
mod web;
