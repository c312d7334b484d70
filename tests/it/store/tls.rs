//! Stores that are reached by TLS alone, as those of clouds are.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use serde_json::Value;
use sqlx::postgres::PgConnectOptions;
use tests::{binary, shared};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Length and code by which a client of Postgres asks for TLS.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/tls")
        .join(name)
}

fn acceptor() -> TlsAcceptor {
    let chain = CertificateDer::from_pem_file(fixture("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(fixture("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![chain], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// Takes TLS off what comes, and passes it on; its port.
async fn in_front_of<F>(is_postgres: bool, behind: impl Fn() -> F + Send + 'static) -> u16
where
    F: Future<Output = Box<dyn Stream>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let acceptor = acceptor();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (acceptor, behind) = (acceptor.clone(), behind());
            tokio::spawn(async move {
                if is_postgres {
                    let mut asked = [0; 8];
                    stream.read_exact(&mut asked).await.ok()?;
                    assert_eq!(asked, SSL_REQUEST, "it is asked for TLS first");
                    stream.write_all(b"S").await.ok()?;
                }
                // Whoever does not trust us breaks off here.
                let mut stream = acceptor.accept(stream).await.ok()?;
                copy_bidirectional(&mut stream, &mut behind.await)
                    .await
                    .ok()
            });
        }
    });
    port
}

/// Brings the stores at those addresses to this version.
async fn migrate(postgres: String, clickhouse: String, trusted: Option<&str>) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = tokio::process::Command::new(binary());
    command
        .arg("migrate")
        .env("TRIAXIS_DATA_DIR", folder.path())
        .env("TRIAXIS_DATABASE_URL", postgres)
        .env("TRIAXIS_CLICKHOUSE_URL", clickhouse)
        .env_remove("SSL_CERT_FILE");
    if let Some(file) = trusted {
        command.env("SSL_CERT_FILE", fixture(file));
    }
    command.output().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn stores_behind_tls_are_used_where_their_certificates_are_trusted_and_never_otherwise() {
    let server = shared().await;
    let text = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&text).unwrap();
    let of = |name: &str| run[name].as_str().unwrap().to_owned();
    let options: PgConnectOptions = of("database_url").parse().unwrap();
    let socket = options.get_socket().unwrap().join(".s.PGSQL.5432");
    let (user, database) = (options.get_username(), options.get_database().unwrap());
    let postgres = in_front_of(true, move || {
        let socket = socket.clone();
        async move { Box::new(UnixStream::connect(socket).await.unwrap()) as Box<dyn Stream> }
    })
    .await;
    let clickhouse = of("clickhouse_url");
    let (before, rest) = clickhouse.rsplit_once('@').unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let upstream = host.to_owned();
    let https = in_front_of(false, move || {
        let upstream = upstream.clone();
        async move { Box::new(TcpStream::connect(upstream).await.unwrap()) as Box<dyn Stream> }
    })
    .await;
    let secure_clickhouse = format!(
        "{}@localhost:{https}/{path}",
        before.replacen("http://", "https://", 1)
    );
    let secure_postgres = format!(
        "postgres://{user}@localhost:{postgres}/{database}?sslmode=verify-full&sslrootcert={}",
        fixture("ca.pem").display()
    );

    let done = migrate(
        secure_postgres.clone(),
        secure_clickhouse.clone(),
        Some("ca.pem"),
    );
    let done = done.await;
    assert!(done.status.success(), "{done:?}");
    // Each of both alone is not trusted.
    let strange = migrate(secure_postgres, secure_clickhouse, None).await;
    assert!(!strange.status.success(), "{strange:?}");
    let unknown = secure_postgres_without_root(user, postgres, database);
    let strange = migrate(unknown, clickhouse.clone(), None).await;
    assert!(!strange.status.success(), "{strange:?}");
}

fn secure_postgres_without_root(user: &str, port: u16, database: &str) -> String {
    format!("postgres://{user}@localhost:{port}/{database}?sslmode=verify-full")
}
