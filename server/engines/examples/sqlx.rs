//! `make sqlx`: checks the Postgres queries against the migrations and writes `.sqlx`, which is what
//! builds without a database check against. With `--check` it only says whether `.sqlx` is fresh.
//!
//! It starts a scratch Postgres, because the queries cannot be compiled by a program that needs them
//! compiled.
#![expect(clippy::print_stdout, reason = "a tool talks to people")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use clap::{Parser, Subcommand};
use engines::{Config, Engines, Limits, locate, postgres};

#[derive(Parser)]
struct CommandLine {
    /// Write nothing; fail when `.sqlx` is not what the queries need.
    #[arg(long)]
    check: bool,
    #[arg(long, env = "TRIAXIS_ENGINES_DIR", global = true)]
    engines_dir: Option<std::path::PathBuf>,
    #[command(subcommand)]
    child: Option<Child>,
}

#[derive(Subcommand)]
enum Child {
    /// As the product's own children are started.
    #[command(subcommand, hide = true)]
    Engine(Engine),
}

#[derive(Subcommand)]
enum Engine {
    Postgres(postgres::ChildSettings),
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

const CACHE: &str = ".sqlx";

fn main() -> Result<(), Failure> {
    let command_line = CommandLine::parse();
    match command_line.child {
        Some(Child::Engine(Engine::Postgres(settings))) => Ok(postgres::run_child(settings)?),
        None => prepare(command_line.check, command_line.engines_dir),
    }
}

#[tokio::main]
async fn prepare(check: bool, engines_dir: Option<std::path::PathBuf>) -> Result<(), Failure> {
    let scratch = tempfile::tempdir()?;
    open_to_all(scratch.path())?;
    let engines = Engines::start(Config {
        data_dir: scratch.path().join("data"),
        engines_dir: engines_dir.unwrap_or_else(|| locate::default_dir(None, None)),
        program: std::env::current_exe()?,
        limits: Limits::default(),
        clickhouse_url: Some("http://default@127.0.0.1:9/unused".to_owned()),
        database_url: None,
    })
    .await?;
    let fresh = scratch.path().join("sqlx");
    std::fs::create_dir(&fresh)?;
    let made = describe(engines.database_url(), &fresh).await;
    engines.stop().await;
    made?;
    let (old, new) = (files(Path::new(CACHE))?, files(&fresh)?);
    if old == new {
        println!("{CACHE} is fresh: {} queries", new.len());
        return Ok(());
    }
    if check {
        return Err(format!("{CACHE} is stale: run `make sqlx` and commit it").into());
    }
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        std::fs::remove_file(Path::new(CACHE).join(name))?;
    }
    std::fs::create_dir_all(CACHE)?;
    for (name, text) in &new {
        std::fs::write(Path::new(CACHE).join(name), text)?;
    }
    println!("{CACHE} written: {} queries", new.len());
    Ok(())
}

/// Migrates, then compiles the queries against the result; the macros write what they learn.
async fn describe(database_url: &str, fresh: &Path) -> Result<(), Failure> {
    let pool = sqlx::PgPool::connect(database_url).await?;
    let migrations = sqlx::migrate::Migrator::new(Path::new("migrations/postgres")).await?;
    migrations.run(&pool).await?;
    pool.close().await;
    // Cargo expands the macros again only when a source file is newer.
    #[expect(clippy::disallowed_methods, reason = "the time of a file, for cargo")]
    std::fs::File::options()
        .append(true)
        .open("server/store-postgres/src/lib.rs")?
        .set_modified(SystemTime::now())?;
    let status = Command::new("cargo")
        .args(["check", "-q", "-p", "store-postgres"])
        .env("DATABASE_URL", database_url)
        .env("SQLX_OFFLINE", "false")
        .env("SQLX_OFFLINE_DIR", fresh)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err("the queries do not compile".into())
    }
}

fn files(folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut files = BTreeMap::new();
    if folder.exists() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            files.insert(name, std::fs::read_to_string(entry.path())?);
        }
    }
    Ok(files)
}

/// Postgres runs as another user when this runs as root.
fn open_to_all(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))
}
