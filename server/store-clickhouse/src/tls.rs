//! The way to a ClickHouse behind TLS. It is one that the certificates of this machine vouch for, or those in the file that
//! `SSL_CERT_FILE` names.

use std::sync::Arc;
use std::time::Duration;

use clickhouse::Client;
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client as HttpClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::error::StoreError;

/// As the driver keeps connections without TLS: ClickHouse closes those that idle after three seconds.
const IDLE: Duration = Duration::from_secs(2);
const KEEPALIVE: Duration = Duration::from_secs(60);

/// A client that goes by TLS alone.
///
/// # Errors
/// When this machine trusts nobody.
pub(crate) fn client() -> Result<Client, StoreError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        let why = "https:// needs certificates that this machine trusts, and there are none; SSL_CERT_FILE names a file of them";
        return Err(StoreError::Address(why.to_owned()));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config
        .with_safe_default_protocol_versions()
        .map_err(|error| StoreError::Address(error.to_string()))?;
    let mut tcp = HttpConnector::new();
    tcp.set_keepalive(Some(KEEPALIVE));
    tcp.enforce_http(false);
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(config.with_root_certificates(roots).with_no_client_auth())
        .https_only()
        .enable_http1()
        .wrap_connector(tcp);
    let mut http = HttpClient::builder(TokioExecutor::new());
    Ok(Client::with_http_client(
        http.pool_idle_timeout(IDLE).build(connector),
    ))
}
