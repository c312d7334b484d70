//! Every URL in reading order, and the layers around all of them.

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::{MethodRouter, get, post};
use service::App;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate as _, SizeAbove};

use crate::pages::{
    account, alerts, correlation, datasets, home, incidents, media, preferences, prompts, serving,
    settings, sign_in, spans, traces,
};
use crate::{assets, error, security};

/// What fits a packet arrives no sooner when compressed, and setting up a compressor costs more than it
/// saves. Bytes.
const WORTH_COMPRESSING: SizeAbove = SizeAbove::new(1024);

/// The pages. Sign-in, preferences and assets answer anybody; whatever takes a
/// [`crate::extract::Visitor`] or [`crate::extract::InProject`] answers only those who have proved
/// who they are.
pub fn router(app: &App) -> Router<App> {
    let pages = TABLE.iter().fold(Router::new(), |router, page| {
        router.route(page.path, (page.handler)())
    });
    pages
        .fallback(home::show_missing)
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
pub static TABLE: &[Page] = &[
    // Anybody
    shows("/sign-in", || get(sign_in::show_sign_in)),
    does("/sign-in", || post(sign_in::create_session)),
    does("/sign-out", || post(sign_in::delete_session)),
    shows("/preferences", || get(preferences::set_preference)),
    // A person
    shows("/", || get(home::show_home)),
    shows("/trace/{trace}", || get(traces::find_and_forward)),
    // Traces
    shows("/p/{project}/search", || get(traces::search_traces)),
    shows("/p/{project}/traces", || get(traces::list_traces)),
    shows("/p/{project}/live", || get(traces::watch_traces)),
    does("/p/{project}/delete", || post(traces::delete_traces)),
    shows("/p/{project}/traces/{trace}", || get(traces::show_trace)),
    does("/p/{project}/traces/{trace}/public", || {
        post(traces::publish_trace)
    }),
    // Anybody, as long as the trace is public
    shows("/project/{project}/traces/{trace}", || {
        get(traces::show_shared)
    }),
    shows("/project/{project}/traces/{trace}/rows", || {
        get(traces::list_shared_rows)
    }),
    shows("/project/{project}/traces/{trace}/media/{media}", || {
        get(traces::show_shared_media)
    }),
    shows("/project/{project}", || get(traces::forward_list)),
    shows("/project/{project}/traces", || get(traces::forward_list)),
    shows("/project/{project}/prompts/{*prompt}", || {
        get(prompts::forward_prompt)
    }),
    shows("/project/{project}/sessions/{session}", || {
        get(traces::forward_session)
    }),
    shows("/p/{project}/traces/{trace}/rows", || {
        get(traces::list_rows)
    }),
    does("/p/{project}/traces/{trace}/delete", || {
        post(traces::delete_trace)
    }),
    shows("/p/{project}/traces/{trace}/spans/{span}/{which}", || {
        get(spans::download_content)
    }),
    // Prompts
    shows("/p/{project}/prompts", || get(prompts::list_prompts)),
    shows("/p/{project}/prompts/new", || get(prompts::new_prompt)),
    does("/p/{project}/prompts/new", || post(prompts::create_prompt)),
    shows("/p/{project}/prompts/{*prompt}", || {
        get(prompts::show_prompt)
    }),
    does("/p/{project}/prompt/labels/{*prompt}", || {
        post(prompts::move_label)
    }),
    does("/p/{project}/prompt/unlabel/{*prompt}", || {
        post(prompts::remove_label)
    }),
    does("/p/{project}/prompt/undo/{*prompt}", || {
        post(prompts::undo_move)
    }),
    does("/p/{project}/prompt/policy/{*prompt}", || {
        post(prompts::set_policy)
    }),
    does("/p/{project}/prompt/tags/{*prompt}", || {
        post(prompts::set_tags)
    }),
    does("/p/{project}/prompt/comments/{*prompt}", || {
        post(prompts::create_comment)
    }),
    does("/p/{project}/prompt/delete/{*prompt}", || {
        post(prompts::delete_prompt)
    }),
    // Datasets
    shows("/p/{project}/datasets", || get(datasets::list_datasets)),
    shows("/p/{project}/datasets/{dataset}", || {
        get(datasets::show_dataset)
    }),
    shows("/p/{project}/datasets/{dataset}/runs/{run}", || {
        get(datasets::show_run)
    }),
    shows("/project/{project}/datasets", || {
        get(datasets::forward_datasets)
    }),
    shows("/project/{project}/datasets/{dataset}", || {
        get(datasets::forward_dataset)
    }),
    shows("/project/{project}/datasets/{dataset}/items", || {
        get(datasets::forward_dataset)
    }),
    shows("/project/{project}/datasets/{dataset}/runs", || {
        get(datasets::forward_dataset)
    }),
    shows("/project/{project}/datasets/{dataset}/runs/{run}", || {
        get(datasets::forward_run)
    }),
    // Attachments
    shows("/p/{project}/media/{media}", || get(media::show_media)),
    // Axes
    shows("/p/{project}/correlation", || {
        get(correlation::show_correlation)
    }),
    shows("/p/{project}/correlation/why", || {
        get(correlation::explain_window)
    }),
    shows("/p/{project}/correlation/traces", || {
        get(correlation::list_bin)
    }),
    shows("/p/{project}/traces/{trace}/axes", || {
        get(traces::show_axes)
    }),
    // Serving
    shows("/p/{project}/serving", || get(serving::show_serving)),
    // Incidents
    shows("/p/{project}/incidents", || get(incidents::list_incidents)),
    shows("/p/{project}/incidents/{incident}", || {
        get(incidents::show_incident)
    }),
    does("/p/{project}/incidents/{incident}/acknowledge", || {
        post(incidents::acknowledge_incident)
    }),
    does("/p/{project}/incidents/{incident}/resolve", || {
        post(incidents::resolve_incident)
    }),
    // Alerts
    shows("/p/{project}/alerts", || get(alerts::list_rules)),
    shows("/p/{project}/alerts/new", || get(alerts::new_rule)),
    does("/p/{project}/alerts/new", || post(alerts::create_rule)),
    shows("/p/{project}/alerts/prometheus", || {
        get(alerts::export_rules)
    }),
    shows("/p/{project}/alerts/rules/{rule}", || {
        get(alerts::show_rule)
    }),
    does("/p/{project}/alerts/rules/{rule}", || {
        post(alerts::update_rule)
    }),
    does("/p/{project}/alerts/rules/{rule}/switch", || {
        post(alerts::switch_rule)
    }),
    does("/p/{project}/alerts/rules/{rule}/delete", || {
        post(alerts::delete_rule)
    }),
    shows("/p/{project}/alerts/channels", || {
        get(alerts::list_channels)
    }),
    does("/p/{project}/alerts/channels", || {
        post(alerts::create_channel)
    }),
    does("/p/{project}/alerts/channels/{channel}/test", || {
        post(alerts::test_channel)
    }),
    does("/p/{project}/alerts/channels/{channel}/switch", || {
        post(alerts::switch_channel)
    }),
    does("/p/{project}/alerts/channels/{channel}/delete", || {
        post(alerts::delete_channel)
    }),
    shows("/p/{project}/alerts/settings", || {
        get(alerts::show_alert_settings)
    }),
    does("/p/{project}/alerts/settings", || {
        post(alerts::set_alert_settings)
    }),
    // One's own account
    shows("/p/{project}/account", || get(account::show_account)),
    does("/p/{project}/account", || post(account::change_password)),
    // Settings
    shows("/p/{project}/settings", || get(settings::show_project)),
    does("/p/{project}/settings/public-links", || {
        post(settings::allow_public_links)
    }),
    does("/p/{project}/settings/name", || {
        post(settings::rename_project)
    }),
    does("/p/{project}/settings/projects", || {
        post(settings::create_project)
    }),
    shows("/p/{project}/settings/keys", || get(settings::list_keys)),
    does("/p/{project}/settings/keys", || post(settings::create_key)),
    does("/p/{project}/settings/keys/{key}/revoke", || {
        post(settings::revoke_key)
    }),
    shows("/p/{project}/settings/prices", || {
        get(settings::list_prices)
    }),
    does("/p/{project}/settings/prices", || {
        post(settings::create_price)
    }),
    does("/p/{project}/settings/prices/{price}", || {
        post(settings::update_price)
    }),
    does("/p/{project}/settings/prices/{price}/delete", || {
        post(settings::delete_price)
    }),
    does("/p/{project}/settings/gpu-prices", || {
        post(settings::create_gpu_price)
    }),
    does("/p/{project}/settings/gpu-prices/{price}/delete", || {
        post(settings::delete_gpu_price)
    }),
    shows("/p/{project}/settings/expectations", || {
        get(settings::list_expectations)
    }),
    shows("/p/{project}/settings/topology", || {
        get(settings::show_topology)
    }),
    does("/p/{project}/settings/topology", || {
        post(settings::set_topology)
    }),
    does("/p/{project}/settings/objectives", || {
        post(settings::create_objective)
    }),
    does(
        "/p/{project}/settings/objectives/{objective}/delete",
        || post(settings::delete_objective),
    ),
    does("/p/{project}/settings/quality-rules", || {
        post(settings::create_quality_rule)
    }),
    does("/p/{project}/settings/quality-rules/{rule}/delete", || {
        post(settings::delete_quality_rule)
    }),
    does("/p/{project}/settings/reprice", || {
        post(settings::create_reprice)
    }),
    shows("/p/{project}/settings/scrape-targets", || {
        get(settings::list_scrape_targets)
    }),
    does("/p/{project}/settings/scrape-targets", || {
        post(settings::create_scrape_target)
    }),
    does("/p/{project}/settings/scrape-targets/{target}", || {
        post(settings::update_scrape_target)
    }),
    does("/p/{project}/settings/scrape-targets/{target}/test", || {
        post(settings::test_scrape_target)
    }),
    does(
        "/p/{project}/settings/scrape-targets/{target}/delete",
        || post(settings::delete_scrape_target),
    ),
    shows("/p/{project}/settings/members", || {
        get(settings::list_members)
    }),
    does("/p/{project}/settings/members", || {
        post(settings::add_member)
    }),
    does("/p/{project}/settings/members/{person}/role", || {
        post(settings::change_role)
    }),
    does("/p/{project}/settings/members/{person}/remove", || {
        post(settings::remove_member)
    }),
];
