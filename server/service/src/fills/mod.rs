//! Filters that fill queues and datasets: one machinery for both, on every server.

/// What is found becomes items of a dataset.
mod items;
/// Looks for what is due, until the server stops.
mod work;

pub use work::run;
