//! What a route is, and the router made of all of them ([`all`]).

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, any, get};
use service::App;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate as _, SizeAbove};

use crate::error::{ApiError, method_not_allowed};
use crate::extract::address;
use crate::{auth, langfuse, media, openapi};

/// Alerts, incidents, attributions, sampling.
mod alerts;
/// The axes: requests, series, topology, scrape targets.
mod axes;
/// Users who are forgotten.
mod compliance;
/// Charts that members put together.
mod dashboards;
/// What scores spans by itself.
mod evaluators;
/// Semantic and business events, and what the ones do to the others.
mod impact;
/// Datasets, and tests of prompts.
mod made;
/// Query parameters that several routes take.
mod queries;
/// Labels of prompts that go back.
mod rollbacks;
/// Everything else, with what it takes and answers.
mod table;
/// Sessions and users.
mod usage;

/// Every route.
pub fn all() -> impl Iterator<Item = &'static Route> {
    let tables = [
        table::TABLE,
        axes::AXES,
        alerts::ALERTS,
        rollbacks::ROLLBACKS,
        dashboards::DASHBOARDS,
        made::MADE,
        evaluators::EVALUATORS,
        usage::USAGE,
        impact::IMPACT,
        compliance::COMPLIANCE,
    ];
    tables.into_iter().flatten()
}

/// What fits a packet arrives no sooner when compressed, and setting up a compressor costs more than it
/// saves. Bytes.
pub(crate) const MIN_COMPRESSED: u16 = 1024;
const WORTH_COMPRESSING: SizeAbove = SizeAbove::new(MIN_COMPRESSED);

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody: it tells nothing of any project.
    Open,
    /// Whoever has a key; it reaches the key's project only.
    Project,
}

/// What a route answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// JSON of that schema.
    Json(&'static str),
    /// 201 with JSON of that schema.
    Created(&'static str),
    /// 202 with JSON of that schema.
    Accepted(&'static str),
    /// A list of that schema with a cursor.
    List(&'static str),
    /// Another content type.
    Other(&'static str),
    /// 204 without content.
    Nothing,
}

/// One method of one URL.
pub struct Route {
    /// `GET`, `DELETE` …
    pub method: &'static str,
    /// Path with `{parameters}`.
    pub path: &'static str,
    /// Name of the operation: the handler's.
    pub operation: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Query parameters, by their name in [`crate::openapi`].
    pub query: &'static [&'static str],
    /// What it answers.
    pub answer: Answer,
    handler: fn() -> MethodRouter<App>,
}

/// Serves them [`all`].
pub fn router(app: &App) -> Router<App> {
    let mut router = Router::new();
    for route in all() {
        let mut handler = (route.handler)();
        if route.access == Access::Project {
            let known = route.query;
            handler = handler.route_layer(middleware::from_fn(
                move |request: Request, next: Next| async move {
                    match address::check(request.uri(), known) {
                        Ok(()) => next.run(request).await,
                        Err(fault) => ApiError(fault).into_response(),
                    }
                },
            ));
            let keys_only = middleware::from_fn_with_state(app.clone(), auth::require_key);
            handler = handler.route_layer(keys_only);
        }
        router = router.route(route.path, handler);
    }
    router
        .route("/docs/api.css", get(openapi::show_style))
        .route("/api/v1/{*rest}", any(unknown))
        .method_not_allowed_fallback(method_not_allowed)
        .merge(langfuse::router(app))
        .layer(
            CompressionLayer::new().compress_when(DefaultPredicate::new().and(WORTH_COMPRESSING)),
        )
        .merge(media::router())
}

async fn unknown() -> ApiError {
    ApiError(domain::Fault::not_found(
        "there is no such route; see /docs/api",
    ))
}
