//! The binary `triaxis`: command line, configuration, wiring.
//!
//! **Invariant:** environment variables are read here only, by [`config`]; nothing here decides
//! anything about telemetry.

/// Subcommands, one file each.
mod cli;
/// Settings: flags, environment variables, their checks.
mod config;
/// Connections: how many there are, and when one that does nothing is closed.
mod connections;
/// What is answered before everything is there.
mod early;
/// Listeners and the routes behind each.
mod http;
/// Log output.
mod logging;
/// Who a request comes from when proxies stand in between.
mod proxies;
/// What a running server tells other processes of the same machine.
mod run_file;
/// How many connections each client holds.
mod shares;
/// A connection whose other side takes nothing breaks off.
mod stall;
/// How everything is put together, and taken apart again.
mod wiring;

use std::process::ExitCode;

use clap::Parser;
use rustix::fs::Mode;
use rustix::process::umask;

/// A span is many small texts, made and freed on different threads: measured as a third less work an
/// ingested span than with the allocator of the C library.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // What is kept, here and by the engines, is for nobody else on the machine.
    umask(Mode::from_raw_mode(0o077));
    let command_line = cli::CommandLine::parse();
    match cli::run(command_line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::out::complain(&error);
            ExitCode::from(if error.is::<config::Unusable>() { 2 } else { 1 })
        }
    }
}
