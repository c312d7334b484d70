//! Log output: one line an event, text or JSON, to standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::{Logging, Unusable};

/// Starts logging for the rest of the process.
pub(crate) fn start(logging: &Logging) -> Result<(), Unusable> {
    let filter = EnvFilter::try_new(&logging.log)
        .map_err(|error| Unusable(format!("TRIAXIS_LOG: {error}")))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let started = match logging.log_format.as_str() {
        "json" => builder.json().try_init(),
        "text" => builder.with_target(false).try_init(),
        other => {
            return Err(Unusable(format!(
                "TRIAXIS_LOG_FORMAT: text or json, not {other}"
            )));
        }
    };
    started.map_err(|error| Unusable(format!("logging: {error}")))
}
