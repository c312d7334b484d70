//! Every URL in reading order, and the layers around all of them.

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::{get, post};
use service::App;
use tower_http::compression::CompressionLayer;

use crate::pages::{account, home, preferences, serving, settings, sign_in, spans, traces};
use crate::{assets, error, security};

/// The pages. Sign-in, preferences and assets answer anybody; whatever takes a
/// [`crate::extract::Visitor`] or [`crate::extract::InProject`] answers only those who have proved
/// who they are.
pub fn router(app: &App) -> Router<App> {
    pages()
        .fallback(home::show_missing)
        .layer(from_fn(error::show_failures))
        .layer(security::sessions(app))
        .merge(Router::new().route("/assets/{hash}/{*path}", get(assets::show_asset)))
        .layer(CompressionLayer::new())
        .layer(from_fn(security::set_headers))
}

fn pages() -> Router<App> {
    Router::new()
        // Anybody
        .route(
            "/sign-in",
            get(sign_in::show_sign_in).post(sign_in::create_session),
        )
        .route("/sign-out", post(sign_in::delete_session))
        .route("/preferences", get(preferences::set_preference))
        // A person
        .route("/", get(home::show_home))
        // Traces
        .route("/p/{project}/search", get(traces::search_traces))
        .route("/p/{project}/traces", get(traces::list_traces))
        .route("/p/{project}/live", get(traces::watch_traces))
        .route("/p/{project}/delete", post(traces::delete_traces))
        .route("/p/{project}/traces/{trace}", get(traces::show_trace))
        .route("/p/{project}/traces/{trace}/rows", get(traces::list_rows))
        .route(
            "/p/{project}/traces/{trace}/delete",
            post(traces::delete_trace),
        )
        .route(
            "/p/{project}/traces/{trace}/spans/{span}/{which}",
            get(spans::download_content),
        )
        // Serving
        .route("/p/{project}/serving", get(serving::show_serving))
        // One's own account
        .route(
            "/p/{project}/account",
            get(account::show_account).post(account::change_password),
        )
        .merge(settings_pages())
}

fn settings_pages() -> Router<App> {
    Router::new()
        .route("/p/{project}/settings", get(settings::show_project))
        .route("/p/{project}/settings/name", post(settings::rename_project))
        .route(
            "/p/{project}/settings/projects",
            post(settings::create_project),
        )
        .route(
            "/p/{project}/settings/keys",
            get(settings::list_keys).post(settings::create_key),
        )
        .route(
            "/p/{project}/settings/keys/{key}/revoke",
            post(settings::revoke_key),
        )
        .route(
            "/p/{project}/settings/prices",
            get(settings::list_prices).post(settings::create_price),
        )
        .route(
            "/p/{project}/settings/prices/{price}",
            post(settings::update_price),
        )
        .route(
            "/p/{project}/settings/prices/{price}/delete",
            post(settings::delete_price),
        )
        .route(
            "/p/{project}/settings/gpu-prices",
            post(settings::create_gpu_price),
        )
        .route(
            "/p/{project}/settings/gpu-prices/{price}/delete",
            post(settings::delete_gpu_price),
        )
        .route(
            "/p/{project}/settings/expectations",
            get(settings::list_expectations),
        )
        .route(
            "/p/{project}/settings/objectives",
            post(settings::create_objective),
        )
        .route(
            "/p/{project}/settings/objectives/{objective}/delete",
            post(settings::delete_objective),
        )
        .route(
            "/p/{project}/settings/quality-rules",
            post(settings::create_quality_rule),
        )
        .route(
            "/p/{project}/settings/quality-rules/{rule}/delete",
            post(settings::delete_quality_rule),
        )
        .route(
            "/p/{project}/settings/reprice",
            post(settings::create_reprice),
        )
        .route(
            "/p/{project}/settings/members",
            get(settings::list_members).post(settings::add_member),
        )
        .route(
            "/p/{project}/settings/members/{person}/role",
            post(settings::change_role),
        )
        .route(
            "/p/{project}/settings/members/{person}/remove",
            post(settings::remove_member),
        )
}
