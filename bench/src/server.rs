//! A server process on a folder of its own.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

/// A running server; it is stopped when this is dropped.
pub(crate) struct Server {
    process: Child,
    folder: tempfile::TempDir,
    /// `http://…` of pages, REST and OTLP/HTTP.
    pub(crate) url: String,
    /// ClickHouse's own address, with password.
    pub(crate) clickhouse_url: String,
}

/// Public key of the project.
pub(crate) const PUBLIC_KEY: &str = "pk-tx-bench";
/// Whoever signs in.
pub(crate) const EMAIL: &str = "bench@example.com";
/// Their password.
pub(crate) const PASSWORD: &str = "bench-0123456789";
/// Secret key of the project.
pub(crate) const SECRET_KEY: &str = "sk-tx-bench-0123456789";

impl Server {
    /// Starts `triaxis serve` and waits until it is ready.
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let binary = std::env::current_exe()?.with_file_name("triaxis");
        let folder = tempfile::Builder::new()
            .prefix("triaxis-bench-")
            .tempdir()?;
        open_to_others(folder.path())?;
        let data_dir = folder.path().join("data");
        let process = Command::new(&binary)
            .arg("serve")
            .env("TRIAXIS_DATA_DIR", &data_dir)
            .env("TRIAXIS_LISTEN", "127.0.0.1:0")
            .env("TRIAXIS_OTLP_GRPC_LISTEN", "")
            .env("TRIAXIS_OTLP_HTTP_LISTEN", "")
            .env("TRIAXIS_INIT_PUBLIC_KEY", PUBLIC_KEY)
            .env("TRIAXIS_INIT_SECRET_KEY", SECRET_KEY)
            .env("TRIAXIS_INIT_EMAIL", EMAIL)
            .env("TRIAXIS_INIT_PASSWORD", PASSWORD)
            .env("TRIAXIS_LOG", "warn")
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        let begun = Instant::now();
        loop {
            if let Ok(run) = std::fs::read(data_dir.join("run/server.json")) {
                let run: Value = serde_json::from_slice(&run)?;
                let text = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
                let url = format!("http://{}", text("http"));
                return Ok(Server {
                    process,
                    folder,
                    url,
                    clickhouse_url: text("clickhouse_url"),
                });
            }
            if begun.elapsed() > Duration::from_secs(60) {
                bail!("the server did not become ready within a minute");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Its processes by name.
    pub(crate) fn processes(&self) -> Vec<(&'static str, u32)> {
        let engine = |name: &str| {
            let file = self.data_dir().join(format!("{name}.pid"));
            std::fs::read_to_string(file).ok()?.trim().parse().ok()
        };
        let mut all = vec![("triaxis", self.process.id())];
        all.extend(engine("clickhouse").map(|pid| ("clickhouse", pid)));
        all.extend(engine("postgres").map(|pid| ("postgres", pid)));
        all
    }

    /// Where it keeps its data.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _sent = Command::new("kill")
            .arg(self.process.id().to_string())
            .status();
        let _ended = self.process.wait();
    }
}

/// Postgres runs as another user when this runs as root.
fn open_to_others(folder: &std::path::Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::set_permissions(
        folder,
        std::fs::Permissions::from_mode(0o755),
    )?)
}
