//! Every URL in reading order, and the layers around all of them.

/// What a page asks of whoever opens it.
pub(crate) mod access;
/// The three axes, what is served, incidents and alerts.
mod axes;
/// What people make: dashboards, prompts, datasets, queues.
mod made;
/// The account and the settings of a project.
mod settings;
/// Traces and what is told of many of them.
mod telemetry;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodRouter, get};
use service::App;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate as _, SizeAbove};

use crate::pages::home;
use crate::{assets, audited, error, security};

/// What fits a packet arrives no sooner when compressed, and setting up a compressor costs more than it
/// saves. Bytes.
const WORTH_COMPRESSING: SizeAbove = SizeAbove::new(1024);

/// The pages. Sign-in, preferences and assets answer anybody; whatever takes a
/// [`crate::extract::Visitor`] or [`crate::extract::InProject`] answers only those who have proved
/// who they are.
pub fn router(app: &App) -> Router<App> {
    let pages = all().fold(Router::new(), |router, page| {
        router.route(page.path, (page.handler)())
    });
    pages
        .fallback(home::show_missing)
        .layer(from_fn_with_state(app.clone(), audited::tell))
        .layer(from_fn(error::show_failures))
        .layer(security::sessions(app))
        .merge(Router::new().route("/assets/{hash}/{*path}", get(assets::show_asset)))
        .layer(
            CompressionLayer::new().compress_when(DefaultPredicate::new().and(WORTH_COMPRESSING)),
        )
        .layer(from_fn(security::set_headers))
}

/// One method of one path.
pub struct Page {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Path with `{parameters}`; what is of a project begins with `/p/{project}/`, and with
    /// `/project/{project}/` where clients of Langfuse look for it.
    pub path: &'static str,
    handler: fn() -> MethodRouter<App>,
}

const fn shows(path: &'static str, handler: fn() -> MethodRouter<App>) -> Page {
    Page {
        method: "GET",
        path,
        handler,
    }
}

const fn does(path: &'static str, handler: fn() -> MethodRouter<App>) -> Page {
    Page {
        method: "POST",
        path,
        handler,
    }
}

/// Every page: the router is made from it, so that a test that walks it can forget none.
pub fn all() -> impl Iterator<Item = &'static Page> {
    let tables = [telemetry::PAGES, made::PAGES, axes::PAGES, settings::PAGES];
    tables.into_iter().flatten()
}
