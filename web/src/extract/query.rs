//! Names and values of the query, repeats kept.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;

/// Names and values in order; of a form's body as well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs(pub(crate) Vec<(String, String)>);

impl Pairs {
    /// From `a=1&b=2`.
    pub(crate) fn parse(text: &[u8]) -> Self {
        Pairs(form_urlencoded::parse(text).into_owned().collect())
    }

    /// The first value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The first value of a name, trimmed; `None` when it is empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name)
            .map(str::trim)
            .filter(|value| !value.is_empty())
    }

    /// All values of a name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

impl<S: Sync> FromRequestParts<S> for Pairs {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Pairs::parse(
            parts.uri.query().unwrap_or_default().as_bytes(),
        ))
    }
}
