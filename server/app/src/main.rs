//! The binary `triaxis`: command line, configuration, wiring.
//!
//! **Invariant:** environment variables are read here only, by [`config`]; nothing here decides
//! anything about telemetry.

/// Settings: flags, environment variables, their checks.
mod config;
/// Subcommands, one file each.
mod cli;
/// How everything is put together, and taken apart again.
mod wiring;
/// Listeners and the routes behind each.
mod http;
/// What a running server tells other processes of the same machine.
mod run_file;
/// Log output.
mod logging;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let command_line = cli::CommandLine::parse();
    match cli::run(command_line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::out::complain(&error);
            ExitCode::from(if error.is::<config::Unusable>() { 2 } else { 1 })
        }
    }
}
