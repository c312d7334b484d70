//! Where the engines' files are.
//!
//! `engines/fetch.sh` installs them in a folder named after the hash of the lock file, so a binary
//! only ever runs the versions that it was built with.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

const LOCK_FILE: &[u8] = include_bytes!("../../../engines/package-lock.json");
/// Oldest Postgres that the migrations run on.
const OLDEST_POSTGRES: u32 = 15;

/// An engine's files are not there.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// The ClickHouse library.
    #[error(
        "the embedded ClickHouse is not in {0}: run `make engines` (or engines/fetch.sh), or set \
         TRIAXIS_CLICKHOUSE_URL to use a server"
    )]
    ClickHouse(PathBuf),
    /// Postgres.
    #[error(
        "the embedded Postgres is not in {0} and none is installed: run `make engines` (or \
         engines/fetch.sh), or set TRIAXIS_DATABASE_URL to use a server"
    )]
    Postgres(PathBuf),
}

/// The folder that the fetching script fills when it is told nothing else.
pub fn default_dir(cache_home: Option<&str>, home: Option<&str>) -> PathBuf {
    if rustix::process::geteuid().is_root() {
        return PathBuf::from("/var/cache/triaxis/engines");
    }
    let cache = match (cache_home.filter(|path| !path.is_empty()), home) {
        (Some(cache), _) => PathBuf::from(cache),
        (None, Some(home)) => Path::new(home).join(".cache"),
        (None, None) => PathBuf::from("/var/cache"),
    };
    cache.join("triaxis/engines")
}

/// The ClickHouse library.
pub fn clickhouse_library(engines_dir: &Path) -> Result<PathBuf, LocateError> {
    let modules = modules(engines_dir);
    let libc = if cfg!(target_os = "linux") {
        "-gnu"
    } else {
        ""
    };
    let package = modules.join(format!("@chdb/lib-{}{libc}", platform()));
    let names = ["libchdb.so", "libchdb.dylib"];
    let found = names
        .iter()
        .map(|name| package.join(name))
        .find(|path| path.exists());
    found.ok_or(LocateError::ClickHouse(package))
}

/// The folder with `initdb` and `postgres`.
pub fn postgres_programs(engines_dir: &Path) -> Result<PathBuf, LocateError> {
    let package = modules(engines_dir).join(format!("@embedded-postgres/{}", platform()));
    let programs = package.join("native/bin");
    if programs.join("postgres").exists() {
        link_libraries(&package);
        return Ok(programs);
    }
    installed_postgres().ok_or(LocateError::Postgres(package))
}

fn modules(engines_dir: &Path) -> PathBuf {
    let hash = hex::encode(Sha256::digest(LOCK_FILE));
    engines_dir.join(&hash[..16]).join("node_modules")
}

fn platform() -> String {
    let system = if cfg!(target_os = "macos") {
        "darwin"
    } else {
        std::env::consts::OS
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}-{machine}")
}

#[derive(Deserialize)]
struct Link {
    source: PathBuf,
    target: PathBuf,
}

/// The package makes its library links in an install script; where that did not run, they are made
/// here. A folder that cannot be written is left alone: then the programs say what they miss.
fn link_libraries(package: &Path) {
    let Ok(list) = std::fs::read(package.join("native/pg-symlinks.json")) else {
        return;
    };
    let links: Vec<Link> = serde_json::from_slice(&list).unwrap_or_default();
    for link in links {
        let target = package.join(&link.target);
        let (false, Some(name)) = (target.exists(), link.source.file_name()) else {
            continue;
        };
        if let Err(error) = symlink(name, &target) {
            tracing::debug!(link = %target.display(), %error, "cannot link a library of Postgres");
        }
    }
}

/// The newest Postgres on this machine that is new enough.
fn installed_postgres() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let debian = versions.filter_map(|entry| {
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((version, entry.path().join("bin")))
    });
    let others = (OLDEST_POSTGRES..=18).flat_map(|version| {
        [
            format!("/opt/homebrew/opt/postgresql@{version}/bin"),
            format!("/usr/local/opt/postgresql@{version}/bin"),
            format!("/usr/pgsql-{version}/bin"),
            format!("/usr/libexec/postgresql{version}"),
        ]
        .map(|path| (version, PathBuf::from(path)))
    });
    debian
        .chain(others)
        .filter(|(version, path)| *version >= OLDEST_POSTGRES && path.join("initdb").exists())
        .max_by_key(|(version, _)| *version)
        .map(|(_, path)| path)
}
