//! Settings: every one is a flag and an environment variable `TRIAXIS_*` of the same name.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// What can be known to be unusable before anything is started.
mod check;
/// The key that credentials of others are sealed with.
mod encryption;
/// Names under which operators of Langfuse know settings.
pub(crate) mod langfuse;
/// Sign-in with a provider of OpenID Connect.
mod oidc;

use clap::Args;
use secrecy::SecretString;
use service::outbound::Allowed;

pub(crate) use self::oidc::SignIn;
use crate::proxies::Proxies;

/// Where to listen.
#[derive(Args, Clone, Debug)]
pub(crate) struct Listen {
    /// HTTP: pages, REST, OTLP/HTTP.
    #[arg(long, env = "TRIAXIS_LISTEN", default_value_t = local(3000))]
    pub(crate) listen: SocketAddr,
    /// OTLP/gRPC; empty turns it off.
    #[arg(
        long,
        env = "TRIAXIS_OTLP_GRPC_LISTEN",
        default_value = "127.0.0.1:4317"
    )]
    pub(crate) otlp_grpc_listen: String,
    /// The standard OTLP/HTTP port, serving only /v1/*; empty turns it off.
    #[arg(
        long,
        env = "TRIAXIS_OTLP_HTTP_LISTEN",
        default_value = "127.0.0.1:4318"
    )]
    pub(crate) otlp_http_listen: String,
    /// Address that people's browsers use; the default is made from `--listen`.
    #[arg(long, env = "TRIAXIS_PUBLIC_URL")]
    pub(crate) public_url: Option<String>,
    /// Proxies in front whose `X-Forwarded-For` is believed: addresses and networks (`10.0.0.0/8`) with
    /// commas between them. Without them everybody behind a proxy shares its sign-in limits.
    #[arg(long, env = "TRIAXIS_TRUSTED_PROXIES", default_value = "")]
    pub(crate) trusted_proxies: String,
    /// Addresses that requests to others (object stores) may reach beside the public internet: addresses and
    /// networks (`10.1.0.0/16`) with commas between them, or `all`.
    #[arg(long, env = "TRIAXIS_ALLOW_PRIVATE_ADDRESSES", default_value = "")]
    pub(crate) allow_private_addresses: String,
    /// Largest request body in bytes, after decompression; over it: 413.
    #[arg(long, env = "TRIAXIS_MAX_BODY_BYTES", default_value_t = 64 << 20)]
    pub(crate) max_body_bytes: usize,
}

/// Where things are kept.
#[derive(Args, Clone, Debug)]
pub(crate) struct Stores {
    /// Spool, embedded engines, media.
    #[arg(long, env = "TRIAXIS_DATA_DIR", default_value = "./data")]
    pub(crate) data_dir: PathBuf,
    /// Postgres URL; unset: the embedded Postgres under the data directory.
    #[arg(long, env = "TRIAXIS_DATABASE_URL", hide_env_values = true)]
    pub(crate) database_url: Option<SecretString>,
    /// ClickHouse HTTP URL (`http://user:pass@host:8123/db`); unset: the embedded engine.
    #[arg(long, env = "TRIAXIS_CLICKHOUSE_URL", hide_env_values = true)]
    pub(crate) clickhouse_url: Option<SecretString>,
    /// Folder with the embedded engines' files, as `make engines` fills it.
    #[arg(long, env = "TRIAXIS_ENGINES_DIR")]
    pub(crate) engines_dir: Option<PathBuf>,
    /// Largest spool in bytes; when it is full, clients are asked to come again.
    #[arg(long, env = "TRIAXIS_SPOOL_MAX_BYTES", default_value_t = 8 << 30)]
    pub(crate) spool_max_bytes: u64,
    /// Folder with attachments; unset: `media` under the data directory. Several servers share one.
    #[arg(long, env = "TRIAXIS_MEDIA_DIR")]
    pub(crate) media_dir: Option<PathBuf>,
    /// Largest attachment in bytes.
    #[arg(long, env = "TRIAXIS_MEDIA_MAX_BYTES", default_value_t = 1_000_000_000)]
    pub(crate) media_max_bytes: u64,
    /// Largest size in bytes of all attachments of a project together; over it: 413.
    #[arg(long, env = "TRIAXIS_MEDIA_PROJECT_MAX_BYTES", default_value_t = 50 << 30)]
    pub(crate) media_project_max_bytes: u64,
}

/// What the first start creates if it is absent; unset values are generated and printed once.
#[derive(Args, Clone, Debug)]
pub(crate) struct Init {
    /// Name of the organisation.
    #[arg(long, env = "TRIAXIS_INIT_ORG")]
    pub(crate) init_org: Option<String>,
    /// Id of the organisation.
    #[arg(long, env = "TRIAXIS_INIT_ORG_ID")]
    pub(crate) init_org_id: Option<String>,
    /// Name of the project.
    #[arg(long, env = "TRIAXIS_INIT_PROJECT")]
    pub(crate) init_project: Option<String>,
    /// Id of the project.
    #[arg(long, env = "TRIAXIS_INIT_PROJECT_ID")]
    pub(crate) init_project_id: Option<String>,
    /// Public key of the project.
    #[arg(long, env = "TRIAXIS_INIT_PUBLIC_KEY")]
    pub(crate) init_public_key: Option<String>,
    /// Secret key of the project.
    #[arg(long, env = "TRIAXIS_INIT_SECRET_KEY", hide_env_values = true)]
    pub(crate) init_secret_key: Option<SecretString>,
    /// How many days the telemetry of the project is wanted for; 0: for ever.
    #[arg(long, env = "TRIAXIS_INIT_PROJECT_RETENTION")]
    pub(crate) init_project_retention: Option<u32>,
    /// E-mail of the first owner.
    #[arg(long, env = "TRIAXIS_INIT_EMAIL")]
    pub(crate) init_email: Option<String>,
    /// Name of the first owner, to show.
    #[arg(long, env = "TRIAXIS_INIT_NAME")]
    pub(crate) init_name: Option<String>,
    /// Password of the first owner.
    #[arg(long, env = "TRIAXIS_INIT_PASSWORD", hide_env_values = true)]
    pub(crate) init_password: Option<SecretString>,
}

/// Secrets of the server itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct Secrets {
    /// Opens `/api/admin`, where organisations are managed; unset: nobody does. `ADMIN_API_KEY` is read too.
    #[arg(long, env = "TRIAXIS_ADMIN_API_KEY", hide_env_values = true)]
    pub(crate) admin_api_key: Option<SecretString>,
    /// Seals credentials that are stored: 32 bytes as 64 hexadecimal digits or base64; unset: made at the
    /// first start, in `encryption.key` of the data directory.
    #[arg(long, env = "TRIAXIS_ENCRYPTION_KEY", hide_env_values = true)]
    pub(crate) encryption_key: Option<SecretString>,
}

/// Log output.
#[derive(Args, Clone, Debug)]
pub(crate) struct Logging {
    /// What to log, as `level` or `target=level,…`.
    #[arg(long, env = "TRIAXIS_LOG", default_value = "info")]
    pub(crate) log: String,
    /// `text` or `json`.
    #[arg(long, env = "TRIAXIS_LOG_FORMAT", default_value = "text")]
    pub(crate) log_format: String,
}

/// A setting that cannot be used: the process ends with code 2 and this one line.
#[derive(Debug)]
pub(crate) struct Unusable(pub(crate) String);

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unusable {}

impl Listen {
    /// The gRPC listener's address; `None` when turned off.
    pub(crate) fn grpc(&self) -> Result<Option<SocketAddr>, Unusable> {
        optional_address("TRIAXIS_OTLP_GRPC_LISTEN", &self.otlp_grpc_listen)
    }

    /// The proxies in front.
    pub(crate) fn proxies(&self) -> Result<Proxies, Unusable> {
        let proxies = self.trusted_proxies.parse();
        proxies.map_err(|why| Unusable(format!("TRIAXIS_TRUSTED_PROXIES: {why}")))
    }

    /// What requests to others may reach.
    pub(crate) fn allowed_addresses(&self) -> Result<Allowed, Unusable> {
        let allowed = self.allow_private_addresses.parse();
        allowed.map_err(|why| Unusable(format!("TRIAXIS_ALLOW_PRIVATE_ADDRESSES: {why}")))
    }

    /// The OTLP/HTTP listener's address; `None` when turned off.
    pub(crate) fn otlp_http(&self) -> Result<Option<SocketAddr>, Unusable> {
        optional_address("TRIAXIS_OTLP_HTTP_LISTEN", &self.otlp_http_listen)
    }
}

impl Stores {
    /// The folder with attachments.
    pub(crate) fn media_dir(&self) -> PathBuf {
        let below = || self.data_dir.join("media");
        self.media_dir.clone().unwrap_or_else(below)
    }

    /// The engines' folder: as given, else the one that the fetching script fills by default.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is where the environment is read"
    )]
    pub(crate) fn engines_dir(&self) -> PathBuf {
        self.engines_dir.clone().unwrap_or_else(|| {
            let cache = std::env::var("XDG_CACHE_HOME").ok();
            let home = std::env::var("HOME").ok();
            engines::locate::default_dir(cache.as_deref(), home.as_deref())
        })
    }
}

const fn local(port: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

fn optional_address(name: &str, text: &str) -> Result<Option<SocketAddr>, Unusable> {
    if text.is_empty() {
        return Ok(None);
    }
    let parsed = text.parse().map(Some);
    parsed.map_err(|_| Unusable(format!("{name}: not an address and port: {text}")))
}
