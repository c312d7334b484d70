//! What is known of the browser that asks.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::header::USER_AGENT;
use http::request::Parts;
use service::auth::Browser;

/// The browser, and where it comes from.
pub(crate) struct Asking(pub(crate) Browser);

impl<S: Sync> FromRequestParts<S> for Asking {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let from = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let nowhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let user_agent = parts.headers.get(USER_AGENT);
        let user_agent = user_agent.map(|value| String::from_utf8_lossy(value.as_bytes()));
        Ok(Asking(Browser {
            address: from.map_or(nowhere, |ConnectInfo(from)| from.ip()),
            user_agent: user_agent.unwrap_or_default().into_owned(),
        }))
    }
}
