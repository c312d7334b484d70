//! `engine`: one embedded engine as a child process of `serve`.

use clap::{Args, Subcommand};

/// Settings of `engine`.
#[derive(Args)]
pub(crate) struct EngineSettings {
    #[command(subcommand)]
    engine: Engine,
}

#[derive(Subcommand)]
enum Engine {
    /// ClickHouse as a library behind its own HTTP interface.
    Clickhouse(engines::clickhouse_http::ChildSettings),
    /// Postgres, started with fewer rights.
    Postgres(engines::postgres::ChildSettings),
}

/// Runs the engine until its parent is gone.
pub(crate) fn run(settings: EngineSettings) -> anyhow::Result<()> {
    match settings.engine {
        Engine::Clickhouse(settings) => engines::clickhouse_http::run_child(settings)?,
        Engine::Postgres(settings) => engines::postgres::run_child(settings)?,
    }
    Ok(())
}
