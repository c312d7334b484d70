//! The one place that prints for people: standard output for results, standard error for failures.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line talks to people"
)]

/// Prints a line of result.
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// Prints why the process ends, with every cause, on one line.
pub(crate) fn complain(error: &anyhow::Error) {
    eprintln!("triaxis: {error:#}");
}
