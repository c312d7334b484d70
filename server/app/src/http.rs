//! Listeners and the routes behind each.

use std::future::ready;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::http::header::{CACHE_CONTROL, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::map_response;
use axum::response::Response;
use service::App;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;

use crate::config::Listen;
use crate::connections::Connections;
use crate::early::{self, Stage};

/// Sockets that are bound; of those that do not answer yet connections wait.
pub(crate) struct Listeners {
    http: Arc<TcpListener>,
    otlp_grpc: Option<Arc<TcpListener>>,
    otlp_http: Option<Arc<TcpListener>>,
}

/// Where the listeners are; with port 0 the system has chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addresses {
    /// Pages, REST, OTLP/HTTP.
    pub(crate) http: SocketAddr,
    /// OTLP/gRPC.
    pub(crate) otlp_grpc: Option<SocketAddr>,
    /// OTLP/HTTP only.
    pub(crate) otlp_http: Option<SocketAddr>,
}

impl Listeners {
    /// Binds all of them, so that a port in use is told before anything is started.
    pub(crate) async fn bind(listen: &Listen) -> anyhow::Result<Self> {
        Ok(Listeners {
            http: bind(listen.listen).await?,
            otlp_grpc: bind_optional(listen.grpc()?).await?,
            otlp_http: bind_optional(listen.otlp_http()?).await?,
        })
    }

    /// Where they are.
    pub(crate) fn addresses(&self) -> anyhow::Result<Addresses> {
        let of = |listener: &Option<Arc<TcpListener>>| {
            let address = |listener: &Arc<TcpListener>| listener.local_addr();
            listener.as_ref().map(address).transpose()
        };
        Ok(Addresses {
            http: self.http.local_addr()?,
            otlp_grpc: of(&self.otlp_grpc)?,
            otlp_http: of(&self.otlp_http)?,
        })
    }

    /// Answers where pages are, while everything else is started.
    pub(crate) fn serve_early(&self, connections: &Connections) -> Early {
        let (stage, router) = early::router();
        let until = CancellationToken::new();
        let accepting = connections
            .clone()
            .accept(Arc::clone(&self.http), router, until.clone());
        connections.tasks().spawn(accepting);
        Early { stage, until }
    }

    /// Serves until `stop`, then lets requests in flight end.
    pub(crate) fn serve(self, app: &App, connections: &Connections, early: &Early) {
        let sharing = axum::middleware::from_fn(api::share_with_browsers);
        let whole = Router::new()
            .merge(web::router(app))
            .merge(api::router(app))
            .merge(ingest::http_router(app))
            .merge(ingest::remote_write_router(app))
            .merge(ingest::langfuse_router(app).layer(sharing));
        let whole = complete(whole, app);
        // Connections of before stay as they are, and get what is asked on them passed on.
        early.stage.send_replace(Stage::Ready(whole.clone()));
        early.until.cancel();
        answer(connections, self.http, whole);
        if let Some(listener) = self.otlp_http {
            answer(
                connections,
                listener,
                complete(ingest::http_router(app), app),
            );
        }
        if let Some(listener) = self.otlp_grpc {
            answer(
                connections,
                listener,
                complete(ingest::grpc_router(app), app),
            );
        }
    }
}

/// What answers before everything is there.
pub(crate) struct Early {
    stage: early::Tell,
    until: CancellationToken,
}

impl Early {
    /// The engines are there, and the stores are brought to this version.
    pub(crate) fn is_migrating(&self) {
        self.stage.send_replace(Stage::Migrating);
    }
}

fn complete(router: Router<App>, app: &App) -> Router {
    let is_secure = app.settings().secure_cookies();
    let guarded = move |mut answer: Response| {
        guard(answer.headers_mut(), is_secure);
        ready(answer)
    };
    let router = router
        .layer(CatchPanicLayer::new())
        .layer(map_response(guarded));
    router.with_state(app.clone())
}

/// What every answer says that does not say it itself: it is what it says it is, and no cache keeps it.
fn guard(headers: &mut HeaderMap, is_secure: bool) {
    let usual = [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in usual {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    // Browsers believe it only where they came by TLS.
    if is_secure {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(STRICT_TRANSPORT_SECURITY, year);
    }
}

fn answer(connections: &Connections, listener: Arc<TcpListener>, router: Router) {
    let never = CancellationToken::new();
    let accepting = connections.clone().accept(listener, router, never);
    connections.tasks().spawn(accepting);
}

async fn bind(address: SocketAddr) -> anyhow::Result<Arc<TcpListener>> {
    // After a crash the old sockets may linger for a moment.
    let mut tries = 0;
    loop {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(Arc::new(listener)),
            Err(error) if tries == 20 => {
                return Err(error).with_context(|| format!("cannot listen on {address}"));
            }
            Err(_) => tries += 1,
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn bind_optional(address: Option<SocketAddr>) -> anyhow::Result<Option<Arc<TcpListener>>> {
    match address {
        Some(address) => bind(address).await.map(Some),
        None => Ok(None),
    }
}
