//! The embedded engines: the HTTP interface that the ClickHouse child serves, and supervision.

mod clickhouse_interface;
mod clickhouse_limits;
mod supervision;

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use clickhouse::{Client, Compression};
use tests::{binary, eventually_within};

/// A ClickHouse child alone, without a server around it.
struct Engine {
    process: Child,
    url: String,
    _data: tempfile::TempDir,
}

impl Engine {
    /// Starts one on an empty folder.
    async fn start() -> Self {
        let data = tempfile::Builder::new()
            .prefix("triaxis-ch-")
            .tempdir()
            .unwrap();
        let address = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        // The parent-death signal of Linux goes with the thread that started a process.
        let mut command = Command::new("setpriv");
        command
            .args(["--pdeathsig", "KILL"])
            .arg(binary())
            .args(["engine", "clickhouse", "--data"])
            .arg(data.path())
            .args(["--listen", &address.to_string(), "--library"])
            .arg(library())
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        let (sender, started) = mpsc::channel();
        std::thread::spawn(move || {
            sender.send(command.spawn()).unwrap();
            loop {
                std::thread::park();
            }
        });
        let process = started
            .recv()
            .unwrap()
            .expect("setpriv (util-linux) starts the engine");
        let engine = Engine {
            process,
            url: format!("http://{address}"),
            _data: data,
        };
        eventually_within(Duration::from_secs(60), "the engine answers", async || {
            reqwest::get(format!("{}/ping", engine.url)).await.map(drop)
        })
        .await;
        engine
    }

    /// The official client, once with and once without compression.
    fn clients(&self) -> [Client; 2] {
        [Compression::None, Compression::Lz4].map(|compression| {
            Client::default()
                .with_url(&self.url)
                .with_compression(compression)
        })
    }

    fn client(&self) -> Client {
        Client::default().with_url(&self.url)
    }

    /// Runs a statement of which only the success matters.
    async fn run(&self, sql: &str) {
        self.client().query_raw(sql).execute().await.unwrap();
    }

    /// Memory of the child, in megabytes.
    fn resident_mb(&self) -> u64 {
        resident_mb(self.process.id())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _killed = self.process.kill();
        let _ended = self.process.wait();
    }
}

fn engines_dir() -> PathBuf {
    let text = |name: &str| std::env::var(name).ok();
    text("TRIAXIS_ENGINES_DIR")
        .map(PathBuf::from)
        .unwrap_or_else(|| {
            engines::locate::default_dir(text("XDG_CACHE_HOME").as_deref(), text("HOME").as_deref())
        })
}

fn library() -> PathBuf {
    engines::locate::clickhouse_library(&engines_dir()).unwrap()
}

fn resident_mb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        / 1024
}
