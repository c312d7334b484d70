//! Connections: how many there are, and when one that does nothing is closed.
//!
//! **Invariant:** whoever connects and does not ask is gone within seconds, so that nobody can use
//! up the files of the process without a key; whoever asks and does not take the answer is gone, too.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::proxies::Proxies;
use crate::shares::Shares;
use crate::stall::Stall;

/// Connections at the same time, over all listeners.
const MAX_CONNECTIONS: u64 = 4096;
/// Files that are not connections of clients: stores, spool, engines, logs.
const OTHER_FILES: u64 = 256;
/// From the connection to the end of the head of its first request.
const FIRST_REQUEST_WITHIN: Duration = Duration::from_secs(10);
/// HTTP/1: from the end of an answer to the end of the head of the next request. Clients that export
/// once a minute keep their connection.
const NEXT_REQUEST_WITHIN: Duration = Duration::from_secs(75);
/// HTTP/2: how often the other side is asked whether it is there, and how long it has to answer.
const PING_EVERY: Duration = Duration::from_secs(20);
/// After that long without a new request a connection ends as soon as its answers have.
const IDLE: Duration = Duration::from_secs(300);
/// Before the next try when the system gives no connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);
/// Between two lines in the log about that.
const COMPLAIN_EVERY: Duration = Duration::from_secs(60);

/// What all listeners share.
#[derive(Clone)]
pub(crate) struct Connections {
    room: Arc<Semaphore>,
    shares: Shares,
    proxies: Proxies,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// Raises the number of files that may be open as far as the system allows.
pub(crate) fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return;
    }
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(error = %error, "the limit of open files stays as it is");
    }
}

impl Connections {
    /// None yet.
    pub(crate) fn new(proxies: Proxies, tasks: &TaskTracker, stop: &CancellationToken) -> Self {
        let most = most_connections(getrlimit(Resource::Nofile).current);
        Connections {
            room: Arc::new(Semaphore::new(most)),
            shares: Shares::of(most),
            proxies,
            tasks: tasks.clone(),
            stop: stop.clone(),
        }
    }

    /// Where their tasks run.
    pub(crate) fn tasks(&self) -> &TaskTracker {
        &self.tasks
    }

    /// Accepts until one of both; beyond the cap whoever comes waits, and whoever has their share of it is turned away, but for
    /// proxies, which come for many. What was accepted goes on until the stop of all.
    pub(crate) async fn accept(
        self,
        listener: Arc<TcpListener>,
        router: Router,
        until: CancellationToken,
    ) {
        let service = TowerToHyperService::new(router);
        let mut complaints = Complaints::default();
        loop {
            let next = async {
                let place = Arc::clone(&self.room).acquire_owned().await;
                (listener.accept().await, place)
            };
            let (accepted, place) = tokio::select! {
                next = next => next,
                () = self.stop.cancelled() => return,
                () = until.cancelled() => return,
            };
            match accepted {
                Ok((stream, peer)) => {
                    let share = match self.proxies.trust(peer.ip()) {
                        true => None,
                        false => match self.shares.take(peer.ip()) {
                            Some(share) => Some(share),
                            None => continue,
                        },
                    };
                    let (service, stop) = (service.clone(), self.stop.clone());
                    let from = (peer, self.proxies.clone());
                    self.tasks.spawn(async move {
                        serve(stream, from, service, stop).await;
                        drop((place, share));
                    });
                }
                Err(error) => {
                    complaints.add(&error, Instant::now());
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

/// Serves one connection until it ends, idles or the server stops.
async fn serve(
    stream: TcpStream,
    (peer, proxies): (SocketAddr, Proxies),
    router: TowerToHyperService<Router>,
    stop: CancellationToken,
) {
    let requests = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&requests);
    let service = service_fn(move |mut request: Request<Incoming>| {
        count.fetch_add(1, Ordering::Relaxed);
        let client = proxies.client(peer, request.headers());
        request.extensions_mut().insert(ConnectInfo(client));
        let answer = router.call(request);
        async move { Ok::<Response, Infallible>(answer.await.unwrap_or_else(|never| match never {})) }
    });
    let builder = builder();
    let mut connection = pin!(builder.serve_connection(TokioIo::new(Stall::new(stream)), service));
    let mut look = pin!(sleep(FIRST_REQUEST_WITHIN));
    let mut seen = 0;
    let mut ending = false;
    loop {
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::trace!(error = %error, "connection broke off");
                }
                return;
            }
            () = stop.cancelled(), if !ending => {
                if requests.load(Ordering::Relaxed) == 0 {
                    return;
                }
                ending = true;
                connection.as_mut().graceful_shutdown();
            }
            () = look.as_mut() => {
                let now = requests.load(Ordering::Relaxed);
                if now == 0 {
                    return;
                }
                if now == seen && !ending {
                    ending = true;
                    connection.as_mut().graceful_shutdown();
                }
                seen = now;
                look.as_mut().reset(Instant::now() + IDLE);
            }
        }
    }
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(NEXT_REQUEST_WITHIN);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(PING_EVERY);
    builder
}

fn most_connections(files: Option<u64>) -> usize {
    let most = files.map_or(MAX_CONNECTIONS, |files| {
        // A very low limit is shared evenly.
        files.saturating_sub(OTHER_FILES).max(files / 2)
    });
    usize::try_from(most.clamp(1, MAX_CONNECTIONS)).unwrap_or(1)
}

/// Errors of accepting, told once a minute.
#[derive(Default)]
struct Complaints {
    count: u64,
    told: Option<Instant>,
}

impl Complaints {
    fn add(&mut self, error: &std::io::Error, now: Instant) {
        self.count += 1;
        if self.told.is_none_or(|told| now >= told + COMPLAIN_EVERY) {
            tracing::warn!(error = %error, count = self.count, "connections were not accepted");
            *self = Complaints {
                count: 0,
                told: Some(now),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        assert_eq!(most_connections(None), 4096);
        assert_eq!(most_connections(Some(1_048_576)), 4096);
        assert_eq!(most_connections(Some(1024)), 768);
        assert_eq!(most_connections(Some(200)), 100);
        assert_eq!(most_connections(Some(0)), 1);
    }
}
