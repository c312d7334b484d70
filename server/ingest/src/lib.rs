//! Telemetry in: receive → decode → normalise → mask → enrich → write.
//!
//! Read [`pipeline`] first; it is the whole way on one page.
//!
//! **Invariants:** a request is answered with success only after its spans are durable. Whatever a
//! client sends, nothing here panics, recurses without limit or allocates without limit; one bad
//! span costs only itself. Decoding, normalising, masking and enriching are plain functions of
//! their arguments; only [`receive`] and [`write`] wait for anything.
//!
//! To add a dialect: a file in `normalise/dialects/` with one table, a line in the lists of
//! `normalise/dialects/mod.rs`, a captured request in `tests/fixtures/otlp`.

/// Big work away from the threads that answer requests.
mod aside;
/// Bytes to spans, log records and metrics as the sender wrote them.
pub mod decode;
/// What follows from a span alone.
pub mod enrich;
/// Batches of older Langfuse clients.
pub mod langfuse;
/// Hiding what must not be stored.
pub mod mask;
/// Spans of every dialect, log records and metrics to the one clean model.
pub mod normalise;
/// The way of a request, stage by stage.
pub mod pipeline;
/// Requests: protocols, limits, compression, answers.
pub mod receive;
/// The durable end of the way.
pub mod write;

pub use receive::langfuse::router as langfuse_router;
pub use receive::otlp_grpc::router as grpc_router;
pub use receive::otlp_http::router as http_router;
pub use receive::remote_write::router as remote_write_router;

/// Captured expositions of real exporters.
#[cfg(test)]
mod expositions;
/// Captured requests of real SDKs.
#[cfg(test)]
mod fixtures;
/// Anything under any key, through all stages.
#[cfg(test)]
mod fuzz;
