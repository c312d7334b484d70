//! Bytes of attachments under signed addresses: `PUT` and `GET /api/media/{token}`. The address is the
//! only key that is needed, so that browsers and plain HTTP clients can use it.
//!
//! **Invariant:** nothing that is fetched here runs: only pictures, sounds and films keep their type,
//! anything else is a file to be saved, and whatever a browser makes of it is in a sandbox.

mod fetch;
/// Parts of a file.
mod range;
mod send;

use axum::Router;
use axum::middleware;
use axum::routing::put;
use service::App;

use crate::error::method_not_allowed;
use crate::langfuse::share;

/// The routes. Nothing here is compressed: most of it is already, and parts are counted in bytes.
pub(crate) fn router() -> Router<App> {
    let methods = put(send::send_media)
        .get(fetch::fetch_media)
        .fallback(method_not_allowed);
    Router::new()
        .route("/api/media/{token}", methods)
        .layer(middleware::from_fn(share))
}

/// The address of a token, for programs.
pub(crate) fn address(app: &App, token: &str) -> String {
    format!("{}/api/media/{token}", app.settings().public_url)
}
