//! The embedded ClickHouse: a child that serves its HTTP interface on a private address.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;

use crate::engine::child_command;
use crate::pulse::Limits;
use crate::supervisor::Plan;

const USER: &str = "triaxis";
const PROBE_PATIENCE: Duration = Duration::from_millis(500);

/// An embedded ClickHouse before it is started.
pub(crate) struct ClickHouse {
    pub(crate) address: SocketAddr,
    pub(crate) library: PathBuf,
    pub(crate) password: String,
    pub(crate) limits: Limits,
}

impl ClickHouse {
    /// Its address with the credentials in it.
    pub(crate) fn url(&self) -> String {
        format!("http://{USER}:{}@{}/default", self.password, self.address)
    }

    /// How it is run.
    pub(crate) fn plan(self, program: PathBuf, data_dir: &Path) -> Plan {
        let data = data_dir.join("clickhouse");
        let Self {
            address,
            library,
            password,
            limits,
        } = self;
        let probe_password = password.clone();
        Plan {
            name: "clickhouse",
            data_dir: data_dir.to_owned(),
            command: Box::new(move || Ok(command(&program, &data, &library, address))),
            first_line: Some(password),
            is_ready: Box::new(move || answers(address, &probe_password).unwrap_or(false)),
            responds: Arc::new(move |within| responds(address, within).unwrap_or(false)),
            limits,
            stop_signal: Signal::TERM,
        }
    }
}

fn command(program: &Path, data: &Path, library: &Path, address: SocketAddr) -> Command {
    let mut command = child_command(program);
    command
        .args(["engine", "clickhouse", "--data"])
        .arg(data)
        .arg("--library")
        .arg(library)
        .args(["--listen", &address.to_string()])
        .args(["--memory-bytes", &engine_memory_bytes().to_string()])
        .args(["--parent", &std::process::id().to_string()]);
    command
}

/// A quarter of what this machine or container has, within reason.
fn engine_memory_bytes() -> u64 {
    const LEAST: u64 = 1 << 30;
    const MOST: u64 = 8 << 30;
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let machine = read("/proc/meminfo")
        .lines()
        .find_map(|line| {
            line.strip_prefix("MemTotal:")?
                .trim()
                .strip_suffix(" kB")?
                .parse()
                .ok()
        })
        .map_or(4 * LEAST, |kilobytes: u64| kilobytes * 1024);
    // `max` when the container has no limit.
    let container = read("/sys/fs/cgroup/memory.max")
        .trim()
        .parse()
        .unwrap_or(u64::MAX);
    (machine.min(container) / 4).clamp(LEAST, MOST)
}

/// Asks for what is answered without any query: a full queue of them does not matter.
fn responds(address: SocketAddr, within: Duration) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&address, within)?;
    stream.set_read_timeout(Some(within))?;
    stream.write_all(b"GET /ping HTTP/1.1\r\nhost: engine\r\nconnection: close\r\n\r\n")?;
    Ok(stream.read(&mut [0; 16])? > 0)
}

/// Asks a query with the password, so that a stranger on the port is not taken for our engine.
fn answers(address: SocketAddr, password: &str) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&address, PROBE_PATIENCE)?;
    stream.set_read_timeout(Some(PROBE_PATIENCE))?;
    let query = "SELECT 'ready'";
    let length = query.len();
    write!(
        stream,
        "POST / HTTP/1.1\r\nhost: engine\r\nx-clickhouse-key: {password}\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n{query}"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.starts_with("HTTP/1.1 200") && answer.contains("ready\n"))
}
