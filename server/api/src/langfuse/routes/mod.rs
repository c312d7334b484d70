//! Every path below `/api/public` and `/api/admin`, in reading order.

/// What programs send, and what is read of it.
mod telemetry;
/// Organisations, projects, keys, members, and the server itself.
mod tenancy;
/// What people make: prompts, datasets, queues, remarks.
mod work;

use axum::Json;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any};
use serde_json::json;
use service::App;

use super::access::{Access, guarded};
use super::cors;
use super::error::{Failure, Family};

/// Most bytes of a body, unless a route says otherwise.
const MAX_BODY: usize = 1024 * 1024;
/// Most bytes of an item of a dataset.
const MAX_ITEM: usize = 4_500_000;

/// One path with its methods. A path whose methods take different keys has several, one after the
/// other.
struct Route {
    /// What follows `/api/public`; all of it for those of the operator.
    path: &'static str,
    /// How its failures look.
    family: Family,
    /// Who may call it.
    access: Access,
    methods: fn() -> MethodRouter<App>,
}

/// Serves the tables.
pub(crate) fn router(app: &App) -> Router<App> {
    let mut router = Router::new()
        .route("/api/public/{*rest}", any(unknown))
        .route("/api/admin/{*rest}", any(unknown));
    let tables = [tenancy::TABLE, telemetry::TABLE, work::TABLE];
    let same = tables
        .into_iter()
        .flat_map(|table| table.chunk_by(|one, next| one.path == next.path));
    for routes in same {
        let (path, family) = (routes[0].path, routes[0].family);
        let methods = routes.iter().fold(MethodRouter::new(), |all, route| {
            all.merge(guarded((route.methods)(), route.access, app))
        });
        let methods = methods
            .fallback(async || Failure::Method)
            .layer(DefaultBodyLimit::max(MAX_BODY))
            .layer(middleware::map_response(move |response: Response| {
                std::future::ready(family.write(response))
            }));
        let path = match routes[0].access {
            Access::Operator => path.to_owned(),
            _ => format!("/api/public{path}"),
        };
        router = router.route(&path, methods);
    }
    router.layer(middleware::from_fn(cors::share))
}

/// Not named as a missing thing would be: clients wait for those to come.
async fn unknown() -> Response {
    let message = "There is no such route here; see docs/langfuse.md for what is supported";
    (StatusCode::NOT_FOUND, Json(json!({ "message": message }))).into_response()
}
