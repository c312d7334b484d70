//! What a running server tells other processes of the same machine: `run/server.json` in the data
//! directory, readable by its owner only.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

/// Addresses of a running server and the way to its metadata.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunFile {
    /// Process id.
    pub(crate) pid: u32,
    /// HTTP: pages, REST, OTLP/HTTP.
    pub(crate) http: SocketAddr,
    /// OTLP/gRPC.
    pub(crate) otlp_grpc: Option<SocketAddr>,
    /// OTLP/HTTP.
    pub(crate) otlp_http: Option<SocketAddr>,
    /// ClickHouse, with its password.
    pub(crate) clickhouse_url: String,
    /// Postgres, with its password.
    pub(crate) database_url: String,
}

/// First sign-in and keys, where the server made them up itself.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FirstKeys {
    /// Public key.
    pub(crate) public_key: String,
    /// Secret key.
    pub(crate) secret_key: String,
    /// E-mail.
    pub(crate) email: String,
    /// Password.
    pub(crate) password: String,
}

impl RunFile {
    /// Writes it in one step, so that a reader never sees half of it.
    pub(crate) fn write(&self, data_dir: &Path) -> anyhow::Result<()> {
        write_private(&path(data_dir, "server.json"), self)
    }

    /// Reads what the running server wrote.
    pub(crate) fn read(data_dir: &Path) -> anyhow::Result<Self> {
        read(&path(data_dir, "server.json"))
            .context("no server seems to run on this data directory")
    }

    /// Takes it away when the server stops.
    pub(crate) fn remove(data_dir: &Path) {
        let _gone_already = std::fs::remove_file(path(data_dir, "server.json"));
    }
}

impl FirstKeys {
    /// Keeps them for `triaxis demo`; the file may be deleted at any time.
    pub(crate) fn write(&self, data_dir: &Path) -> anyhow::Result<()> {
        write_private(&path(data_dir, "first-keys.json"), self)
    }

    /// Reads them, when they were made up and are still there.
    pub(crate) fn read(data_dir: &Path) -> anyhow::Result<Self> {
        read(&path(data_dir, "first-keys.json"))
    }
}

fn path(data_dir: &Path, name: &str) -> PathBuf {
    data_dir.join("run").join(name)
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> anyhow::Result<T> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is damaged", path.display()))
}

fn write_private<T: Serialize>(path: &Path, value: &T) -> anyhow::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;

    let context = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(context)?;
    }
    let draft = path.with_extension("tmp");
    let mut options = std::fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&draft)
        .with_context(context)?;
    file.write_all(&serde_json::to_vec_pretty(value)?)
        .with_context(context)?;
    std::fs::rename(&draft, path).with_context(context)
}
