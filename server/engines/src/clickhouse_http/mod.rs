//! ClickHouse's HTTP interface over the engine library, run as a child process.
//!
//! The product speaks to ClickHouse over HTTP with the official client and nothing else; this
//! makes the embedded engine answer the same way. It implements what that client and the usual
//! tools use: query in URL or body, `param_*`, settings, formats, exceptions with codes, streamed
//! results, streamed inserts, both compressions. Sessions, quotas, roles and users are left out.

/// Requests and answers.
mod answer;
/// Errors.
mod exception;
/// Compressed bodies.
mod framing;
/// The C interface.
mod library;
/// Form bodies.
mod multipart;
/// Sessions.
mod pool;
/// Headers that come once a chunk.
mod repeated_header;
/// A request's parts.
mod request;
/// Running statements.
mod run;
/// What a statement is.
mod statement;
/// How the engine is set up.
mod tuning;

use std::io::BufRead as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use library::LibraryError;

use crate::lifeline;
use crate::lock::{DataLock, LockError};

/// Command line of the child.
#[derive(clap::Args, Clone, Debug)]
pub struct ChildSettings {
    /// Folder of the data.
    #[arg(long)]
    pub data: PathBuf,
    /// Where to listen; a private address.
    #[arg(long)]
    pub listen: SocketAddr,
    /// The engine library.
    #[arg(long)]
    pub library: PathBuf,
    /// Memory that the engine may use.
    #[arg(long, default_value_t = 4 << 30)]
    pub memory_bytes: u64,
    /// Threads of one query.
    #[arg(long, default_value_t = 2)]
    pub threads: usize,
    /// Process that must be the parent. With it, the first line of standard input is the password,
    /// and the end of standard input ends the engine. Without it: no password, ended by a signal.
    #[arg(long)]
    pub parent: Option<u32>,
}

/// Why the child ends with an error.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// The library.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The data is in use.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// Anything of the system.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// The parent is another process than it said.
    #[error("the server that started this engine is gone")]
    Orphan,
}

/// After this the process ends hard: every inserted part is on disk.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
/// The last child on the same data may need this long to end.
const LOCK_PATIENCE: Duration = Duration::from_secs(15);

/// Serves until the parent is gone or SIGTERM or SIGINT comes.
pub fn run_child(settings: ChildSettings) -> Result<(), ChildError> {
    let secret = match settings.parent {
        Some(parent) => {
            lifeline::die_with_parent(parent, rustix::process::Signal::TERM)
                .map_err(|_| ChildError::Orphan)?;
            let mut line = String::new();
            std::io::stdin().lock().read_line(&mut line)?;
            Some(line.trim_end().to_owned())
        }
        None => None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(128)
        .enable_all()
        .build()?;
    let ended = runtime.block_on(serve(settings, secret));
    // Threads that hang in the engine must not keep the process.
    runtime.shutdown_background();
    if ended? {
        return Ok(());
    }
    // Not all of the engine's threads ended: its destructors would crash. What was inserted is on disk.
    lifeline::kill_self()
}

/// True when everything was closed.
async fn serve(settings: ChildSettings, secret: Option<String>) -> Result<bool, ChildError> {
    std::fs::create_dir_all(&settings.data)?;
    let data = std::fs::canonicalize(&settings.data)?;
    let _lock = DataLock::wait(&data.join("engine.lock"), LOCK_PATIENCE)?;
    let listener = TcpListener::bind(settings.listen).await;
    let listener = listener.map_err(|source| ChildError::Listen {
        address: settings.listen,
        source,
    })?;
    let stop = CancellationToken::new();
    watch(&settings, stop.clone())?;
    let tuning = tuning::Tuning::new(data, settings.memory_bytes, settings.threads);
    let library = library::Library::open(&settings.library)?;
    let pool = Arc::new(pool::Pool::open(library, tuning)?);
    let interface = Arc::new(answer::Interface {
        pool: pool.clone(),
        secret,
    });
    let root = move |request: Request| answer::answer(interface.clone(), request);
    let router = Router::new()
        .route("/ping", get(|| async { "Ok.\n" }))
        .route("/", axum::routing::any(root))
        .layer(axum::extract::DefaultBodyLimit::disable());
    let listener = listener.tap_io(|stream| {
        // Without it a refusal costs nothing but small answers wait for each other.
        let _ = stream.set_nodelay(true);
    });
    let served = axum::serve(listener, router).with_graceful_shutdown({
        let stop = stop.clone();
        async move { stop.cancelled().await }
    });
    // Stopping does not wait for the last client: the product has drained its own work before.
    tokio::select! {
        served = async { served.await } => served?,
        () = async {
            stop.cancelled().await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        } => {}
    }
    let closed = tokio::task::spawn_blocking(move || pool.close(STOP_PATIENCE)).await;
    Ok(closed.unwrap_or(false))
}

/// Ends the service on a signal or when the parent closes our standard input.
fn watch(settings: &ChildSettings, stop: CancellationToken) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let by_signal = stop.clone();
    let has_parent = settings.parent.is_some();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => break,
                // A terminal's Ctrl-C reaches the whole group; the parent stops us in its order.
                _ = interrupt.recv() => if !has_parent { break },
            }
        }
        by_signal.cancel();
    });
    if has_parent {
        std::thread::Builder::new()
            .name("parent-watch".to_owned())
            .spawn(move || {
                lifeline::await_stdin_end();
                stop.cancel();
            })?;
    }
    Ok(())
}
