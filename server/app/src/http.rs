//! Listeners and the routes behind each.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use service::App;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;

use crate::config::Listen;
use crate::connections::Connections;

/// Sockets that are bound but do not answer yet.
pub(crate) struct Listeners {
    http: TcpListener,
    otlp_grpc: Option<TcpListener>,
    otlp_http: Option<TcpListener>,
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
        let of = |listener: &Option<TcpListener>| {
            listener.as_ref().map(TcpListener::local_addr).transpose()
        };
        Ok(Addresses {
            http: self.http.local_addr()?,
            otlp_grpc: of(&self.otlp_grpc)?,
            otlp_http: of(&self.otlp_http)?,
        })
    }

    /// Serves until `stop`, then lets requests in flight end.
    pub(crate) fn serve(self, app: &App, connections: &Connections) {
        let sharing = axum::middleware::from_fn(api::share_with_browsers);
        let whole = Router::new()
            .merge(web::router(app))
            .merge(api::router(app))
            .merge(ingest::http_router(app))
            .merge(ingest::remote_write_router(app))
            .merge(ingest::langfuse_router(app).layer(sharing));
        answer(connections, self.http, whole, app);
        if let Some(listener) = self.otlp_http {
            answer(connections, listener, ingest::http_router(app), app);
        }
        if let Some(listener) = self.otlp_grpc {
            answer(connections, listener, ingest::grpc_router(app), app);
        }
    }
}

fn answer(connections: &Connections, listener: TcpListener, router: Router<App>, app: &App) {
    let router = router.layer(CatchPanicLayer::new());
    let accepting = connections
        .clone()
        .accept(listener, router.with_state(app.clone()));
    connections.tasks().spawn(accepting);
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    // After a crash the old sockets may linger for a moment.
    let mut tries = 0;
    loop {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) if tries == 20 => {
                return Err(error).with_context(|| format!("cannot listen on {address}"));
            }
            Err(_) => tries += 1,
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn bind_optional(address: Option<SocketAddr>) -> anyhow::Result<Option<TcpListener>> {
    match address {
        Some(address) => bind(address).await.map(Some),
        None => Ok(None),
    }
}
