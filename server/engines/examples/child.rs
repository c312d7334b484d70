//! Starts one embedded engine by hand: `cargo run -p engines --example child -- clickhouse --help`.
#![expect(clippy::print_stderr, reason = "an example talks to people")]

use clap::Parser;

#[derive(Parser)]
enum Engine {
    /// ClickHouse's HTTP interface.
    Clickhouse(engines::clickhouse_http::ChildSettings),
}

fn main() -> std::process::ExitCode {
    let ended = match Engine::parse() {
        Engine::Clickhouse(settings) => {
            engines::clickhouse_http::run_child(settings).map_err(|error| error.to_string())
        }
    };
    match ended {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}
