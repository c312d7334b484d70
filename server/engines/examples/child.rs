//! The engines by hand, without the product around them.
//!
//! `cargo run -p engines --example child -- clickhouse --data DIR --listen 127.0.0.1:18123 --library FILE`
//! starts ClickHouse's HTTP interface without a password;
//! `cargo run -p engines --example child -- run --data-dir DIR` starts both and prints their addresses.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example talks to people"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use engines::{Config, Engines, Limits, clickhouse_http, locate, postgres};

#[derive(Parser)]
enum CommandLine {
    /// ClickHouse's HTTP interface.
    Clickhouse(clickhouse_http::ChildSettings),
    /// Both engines, until SIGTERM or SIGINT.
    Run {
        #[arg(long)]
        data_dir: PathBuf,
        #[arg(long, env = "TRIAXIS_ENGINES_DIR")]
        engines_dir: Option<PathBuf>,
    },
    /// As the product's own children are started.
    #[command(subcommand, hide = true)]
    Engine(Engine),
}

#[derive(Subcommand)]
enum Engine {
    Clickhouse(clickhouse_http::ChildSettings),
    Postgres(postgres::ChildSettings),
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let ended: Result<(), Failure> = match CommandLine::parse() {
        CommandLine::Clickhouse(settings) | CommandLine::Engine(Engine::Clickhouse(settings)) => {
            clickhouse_http::run_child(settings).map_err(Into::into)
        }
        CommandLine::Engine(Engine::Postgres(settings)) => {
            postgres::run_child(settings).map_err(Into::into)
        }
        CommandLine::Run {
            data_dir,
            engines_dir,
        } => run(data_dir, engines_dir),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(data_dir: PathBuf, engines_dir: Option<PathBuf>) -> Result<(), Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let started = std::time::Instant::now();
    let engines = Engines::start(Config {
        data_dir,
        engines_dir: engines_dir.unwrap_or_else(|| locate::default_dir(None, None)),
        program: std::env::current_exe()?,
        limits: Limits::default(),
        clickhouse_url: None,
        database_url: None,
    })
    .await?;
    println!("clickhouse {}", engines.clickhouse_url());
    println!("postgres {}", engines.database_url());
    println!("ready after {} ms", started.elapsed().as_millis());
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    let stopping = std::time::Instant::now();
    engines.stop().await;
    println!("stopped after {} ms", stopping.elapsed().as_millis());
    Ok(())
}
