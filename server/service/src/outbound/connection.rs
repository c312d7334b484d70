//! One connection, over TLS where the scheme says so: HTTP/1.1, closed after one exchange.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};

use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_util::task::AbortOnDropHandle;
use url::Host;

use super::OutboundError;
use super::body::Sent;

/// A connection; it ends when this is dropped.
pub(super) struct Connection {
    pub(super) sender: SendRequest<Sent>,
    _task: AbortOnDropHandle<()>,
}

/// Connects to the first address that answers; with a name over TLS.
pub(super) async fn open(
    addresses: &[SocketAddr],
    name: Option<&Host<&str>>,
) -> Result<Connection, OutboundError> {
    let stream = TcpStream::connect(addresses).await;
    let stream = stream.map_err(OutboundError::Unreachable)?;
    let Some(name) = name else {
        return speak(stream).await;
    };
    let name = match name {
        Host::Domain(name) => ServerName::try_from((*name).to_owned()),
        Host::Ipv4(address) => Ok(ServerName::from(std::net::IpAddr::V4(*address))),
        Host::Ipv6(address) => Ok(ServerName::from(std::net::IpAddr::V6(*address))),
    };
    let name = name.map_err(|_| OutboundError::Address)?;
    let config = TLS
        .clone()
        .map_err(|kind| OutboundError::Insecure(kind.into()))?;
    let secured = TlsConnector::from(config).connect(name, stream).await;
    speak(secured.map_err(OutboundError::Insecure)?).await
}

async fn speak<S>(stream: S) -> Result<Connection, OutboundError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sender, connection) = handshake(TokioIo::new(stream))
        .await
        .map_err(|error| OutboundError::BrokeOff(error.into()))?;
    // How it ends is told by the exchange.
    let task = tokio::spawn(async move {
        let _ended = connection.await;
    });
    Ok(Connection {
        sender,
        _task: AbortOnDropHandle::new(task),
    })
}

/// What the machine trusts, read once.
static TLS: LazyLock<Result<Arc<ClientConfig>, io::ErrorKind>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (added, ignored) = roots.add_parsable_certificates(found.certs);
    tracing::debug!(added, ignored, "certificates that this machine trusts");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions();
    let config = config.map_err(|_| io::ErrorKind::Unsupported)?;
    let config = config.with_root_certificates(roots).with_no_client_auth();
    Ok(Arc::new(config))
});
