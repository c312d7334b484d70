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

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;

/// The one header with a key; `None` when there is none, more than one, or one that is not text.
fn authorization(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let only = all.next()?;
    match all.next() {
        None => only.to_str().ok(),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

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
