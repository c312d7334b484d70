//! What the client that asks can read.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

/// The Python client knows conditions on what a call says of itself from this version on; an earlier one
/// cannot read a list in which there is one.
const PYTHON_READS_ATTRIBUTES: u32 = 4;

/// What the client that asks can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    /// Conditions on parameters and metadata of a call.
    pub(super) reads_attributes: bool,
}

impl Client {
    fn of(headers: &HeaderMap) -> Self {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let is_python = text("x-langfuse-sdk-name") == Some("python")
            || text("x-fern-language") == Some("Python");
        let version = text("x-langfuse-sdk-version").or(text("x-fern-sdk-version"));
        let major = version.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
        let is_early = major.is_some_and(|major| major < PYTHON_READS_ATTRIBUTES);
        Client {
            reads_attributes: !(is_python && is_early),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Client::of(&parts.headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_python_clients_are_known_by_what_they_send() {
        let of = |name: &'static str, version: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-langfuse-sdk-name", name.parse().unwrap());
            headers.insert("x-langfuse-sdk-version", version.parse().unwrap());
            Client::of(&headers).reads_attributes
        };
        assert!(!of("python", "3.14.1"));
        assert!(of("python", "4.0.0") && of("python", "dev") && of("javascript", "3.2.0"));
        assert!(Client::of(&HeaderMap::new()).reads_attributes);
    }
}
