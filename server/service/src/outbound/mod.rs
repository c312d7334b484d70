//! The only way out: requests to addresses that people or programs of a project gave.
//!
//! **Invariants:** a name is resolved once, and the connection goes to what it resolved to; unless the
//! operator allows it (`TRIAXIS_ALLOW_PRIVATE_ADDRESSES`) no request reaches this machine, its networks or
//! what a provider of machines tells its own (link-local addresses); redirects are answers, never followed;
//! time and size are bounded; what an error says has no part of an address, a header or an answer.

/// Which addresses may be reached.
mod address;
/// Bodies of requests.
mod body;
/// One connection, over TLS where the scheme says so.
mod connection;
/// Answers that are read while they come.
mod streamed;

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HOST};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use tokio::time::Instant;
use url::{Host, Url};

pub use address::Allowed;
pub use body::Content;
pub use streamed::Streamed;

/// A request to somewhere else.
pub struct Outgoing {
    /// What is done.
    pub method: Method,
    /// Where; `http` or `https`.
    pub url: Url,
    /// Headers; host and length are set by [`Outbound::send`].
    pub headers: HeaderMap,
    /// The body.
    pub content: Content,
}

/// What an exchange may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the first look at the name to the end of the answer.
    pub time: Duration,
    /// Most bytes of the answer's body.
    pub answer_bytes: usize,
}

/// What came back. It is for the program alone, never to be shown.
pub struct Answer {
    /// Its status, whatever that is.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// It is no address of HTTP.
    #[error("the address must begin with http:// or https:// and name a host")]
    Address,
    /// The operator does not allow it.
    #[error(
        "the address leads to a private network, which the operator of this server does not allow: set \
         TRIAXIS_ALLOW_PRIVATE_ADDRESSES to the networks that may be reached, such as 10.0.0.0/8,::1"
    )]
    Private,
    /// The name is not known.
    #[error("the name of the host cannot be resolved")]
    Unresolved,
    /// Nobody answers there.
    #[error("no connection to the host")]
    Unreachable(#[source] std::io::Error),
    /// The certificate is not trusted, or it is no TLS.
    #[error("no secure connection to the host")]
    Insecure(#[source] std::io::Error),
    /// The connection ended early, or what came is no HTTP.
    #[error("the connection broke off")]
    BrokeOff(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// More came back than the limit allows.
    #[error("the answer is too long")]
    TooLong,
    /// It took too long.
    #[error("the host did not answer in time")]
    Timeout,
}

/// Makes requests; cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound {
    allowed: Allowed,
}

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

impl Outbound {
    /// With what the operator allows.
    pub fn new(allowed: Allowed) -> Self {
        Outbound { allowed }
    }

    /// Whether an address could be reached, as far as that can be said without asking for its name.
    ///
    /// # Errors
    /// [`OutboundError::Address`] or [`OutboundError::Private`].
    pub fn check(&self, url: &Url) -> Result<(), OutboundError> {
        let (host, _) = host_of(url)?;
        match host {
            Host::Domain(_) => Ok(()),
            Host::Ipv4(address) => self.allowed.check(address.into()),
            Host::Ipv6(address) => self.allowed.check(address.into()),
        }
    }

    /// Sends a request and waits for the answer.
    ///
    /// # Errors
    /// When there is no answer; one with any status is one.
    pub async fn send(&self, outgoing: Outgoing, limits: Limits) -> Result<Answer, OutboundError> {
        let exchange = async {
            let streamed = self.begin(outgoing, limits).await?;
            streamed.whole().await
        };
        let answer = tokio::time::timeout(limits.time, exchange).await;
        answer.map_err(|_| OutboundError::Timeout)?
    }

    /// Sends a request and waits for the head of the answer, whose body is read while it comes.
    ///
    /// # Errors
    /// As [`Outbound::send`].
    pub async fn open(
        &self,
        outgoing: Outgoing,
        limits: Limits,
    ) -> Result<Streamed, OutboundError> {
        let begun = tokio::time::timeout(limits.time, self.begin(outgoing, limits)).await;
        begun.map_err(|_| OutboundError::Timeout)?
    }

    async fn begin(&self, outgoing: Outgoing, limits: Limits) -> Result<Streamed, OutboundError> {
        let until = Instant::now() + limits.time;
        let (host, port) = host_of(&outgoing.url)?;
        let connect = async {
            let addresses = self.resolve(&host, port).await?;
            let name = (outgoing.url.scheme() == "https").then_some(&host);
            connection::open(&addresses, name).await
        };
        let connected = tokio::time::timeout(CONNECT, connect).await;
        let mut connection = connected.map_err(|_| OutboundError::Timeout)??;
        let request = request(outgoing)?;
        let sent = connection.sender.send_request(request).await;
        let answer = sent.map_err(|error| OutboundError::BrokeOff(error.into()))?;
        Ok(Streamed::new(
            answer,
            connection,
            (limits.answer_bytes, until),
        ))
    }

    /// Every address of a host, if all of them may be reached.
    async fn resolve(
        &self,
        host: &Host<&str>,
        port: u16,
    ) -> Result<Vec<SocketAddr>, OutboundError> {
        let addresses = match host {
            Host::Ipv4(address) => vec![SocketAddr::from((*address, port))],
            Host::Ipv6(address) => vec![SocketAddr::from((*address, port))],
            Host::Domain(name) => {
                let found = tokio::net::lookup_host((*name, port)).await;
                found.map_err(|_| OutboundError::Unresolved)?.collect()
            }
        };
        for address in &addresses {
            self.allowed.check(address.ip())?;
        }
        if addresses.is_empty() {
            return Err(OutboundError::Unresolved);
        }
        Ok(addresses)
    }
}

fn host_of(url: &Url) -> Result<(Host<&str>, u16), OutboundError> {
    if !["http", "https"].contains(&url.scheme()) {
        return Err(OutboundError::Address);
    }
    let port = url.port_or_known_default();
    url.host().zip(port).ok_or(OutboundError::Address)
}

fn request(outgoing: Outgoing) -> Result<Request<body::Sent>, OutboundError> {
    let url = &outgoing.url;
    let target = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let host = match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => return Err(OutboundError::Address),
    };
    let host = HeaderValue::from_str(&host).map_err(|_| OutboundError::Address)?;
    let length = HeaderValue::from(outgoing.content.bytes());
    let mut request = Request::new(outgoing.content.into_body());
    *request.method_mut() = outgoing.method;
    *request.uri_mut() = target.parse().map_err(|_| OutboundError::Address)?;
    *request.headers_mut() = outgoing.headers;
    request.headers_mut().insert(HOST, host);
    request.headers_mut().insert(CONTENT_LENGTH, length);
    Ok(request)
}

#[cfg(test)]
mod tests;
