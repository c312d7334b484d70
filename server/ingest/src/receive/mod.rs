//! Requests: protocols, limits, compression, answers. The only place of this crate that knows HTTP.

/// Reading bodies within limits.
pub mod body;
/// Bytes of all bodies together, and whose they are.
mod in_flight;
/// Reading on after a refusal.
mod linger;
/// Counting outcomes.
mod measure;
/// OTLP over gRPC.
pub mod otlp_grpc;
/// OTLP over HTTP.
pub mod otlp_http;
/// How fast a body must come.
mod pace;
/// Answers and faults in each protocol's words.
pub mod status;
