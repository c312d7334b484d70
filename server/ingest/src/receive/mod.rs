//! Requests: protocols, limits, compression, answers. The only place of this crate that knows HTTP.

/// Reading bodies within limits.
pub mod body;
/// Bytes of all bodies together, and whose they are.
mod in_flight;
/// Batches of older Langfuse clients.
pub mod langfuse;
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
/// Prometheus remote write.
pub mod remote_write;
/// Answers and faults in each protocol's words.
pub mod status;

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};

/// The one header with a key, see [`service::auth::the_only`].
fn authorization(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(AUTHORIZATION).iter();
    service::auth::the_only(all.map(HeaderValue::as_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_headers_are_none() {
        let mut headers = HeaderMap::new();
        assert_eq!(authorization(&headers), None);
        for expected in [Some("Bearer a"), None] {
            headers.append(AUTHORIZATION, HeaderValue::from_static("Bearer a"));
            assert_eq!(authorization(&headers), expected);
        }
    }
}
