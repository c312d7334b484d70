//! Subcommands, one file each.

/// `admin`: work on a running server's metadata.
mod admin;
/// `demo`: sends a generated day of traffic.
mod demo;
/// `engine`: one embedded engine as a child process.
mod engine;
/// `health`: asks the server of this machine whether it is ready.
mod health;
/// `migrate`: brings both stores to this version.
mod migrate;
/// What is printed for people.
pub(crate) mod out;
/// `serve`: runs everything.
mod serve;

use clap::{Parser, Subcommand};

use crate::config::{Init, Listen, Logging, Secrets, SignIn, Stores};

/// Self-hosted observability for LLM applications.
#[derive(Parser)]
#[command(name = "triaxis", version, args_conflicts_with_subcommands = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeSettings,
}

/// Everything that `serve` can be told.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ServeSettings {
    /// Where to listen.
    #[command(flatten)]
    pub(crate) listen: Listen,
    /// Where things are kept.
    #[command(flatten)]
    pub(crate) stores: Stores,
    /// What the first start creates.
    #[command(flatten)]
    pub(crate) init: Init,
    /// Secrets of the server itself.
    #[command(flatten)]
    pub(crate) secrets: Secrets,
    /// Sign-in with a provider of OpenID Connect.
    #[command(flatten)]
    pub(crate) sign_in: SignIn,
    /// Log output.
    #[command(flatten)]
    pub(crate) logging: Logging,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server (the default).
    Serve(Box<ServeSettings>),
    /// Bring both stores to this version and end.
    Migrate(Box<ServeSettings>),
    /// Send a generated day of traffic to a running server.
    Demo(demo::DemoSettings),
    /// Work on a running server's organisations, projects and people.
    Admin(admin::AdminSettings),
    /// Ask the server of this machine whether it is ready.
    Health(health::HealthSettings),
    /// One embedded engine; started by `serve`, not by hand.
    #[command(hide = true)]
    Engine(engine::EngineSettings),
}

/// Runs what the command line asks for.
pub(crate) fn run(command_line: CommandLine) -> anyhow::Result<()> {
    match command_line.command {
        None => serve::run(&command_line.serve),
        Some(Command::Serve(settings)) => serve::run(&settings),
        Some(Command::Migrate(settings)) => migrate::run(&settings),
        Some(Command::Demo(settings)) => demo::run(&settings),
        Some(Command::Admin(settings)) => admin::run(settings),
        Some(Command::Health(settings)) => health::run(&settings),
        Some(Command::Engine(settings)) => engine::run(settings),
    }
}
