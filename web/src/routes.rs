//! Every URL in reading order, and the layers around all of them.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use axum::routing::{MethodRouter, get, post};
use service::App;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate as _, SizeAbove};

use crate::pages::{
    account, alerts, correlation, costs, dashboards, datasets, home, incidents, jobs, media,
    overview, preferences, prompts, queues, serving, sessions, settings, sign_in, spans, traces,
    users,
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
    #[cfg(debug_assertions)]
    shows("/gallery", || get(crate::pages::gallery::show_gallery)),
    #[cfg(debug_assertions)]
    shows("/gallery/{sample}", || {
        get(crate::pages::gallery::show_sample)
    }),
    // A person
    shows("/", || get(home::show_home)),
    shows("/trace/{trace}", || get(traces::find_and_forward)),
    // Overview
    shows("/p/{project}/overview", || get(overview::show_overview)),
    // Traces
    shows("/p/{project}/search", || get(traces::search_traces)),
    shows("/p/{project}/traces", || get(traces::list_traces)),
    shows("/p/{project}/live", || get(traces::watch_traces)),
    does("/p/{project}/delete", || post(traces::delete_traces)),
    shows("/p/{project}/facets/{column}", || get(traces::show_facet)),
    shows("/p/{project}/jobs", || get(jobs::list_jobs)),
    does("/p/{project}/jobs", || post(jobs::create_job)),
    shows("/p/{project}/jobs/{job}", || get(jobs::show_job)),
    does("/p/{project}/jobs/{job}/cancel", || post(jobs::cancel_job)),
    shows("/p/{project}/export", || get(traces::export_traces)),
    does("/p/{project}/export", || post(traces::export_chosen)),
    does("/p/{project}/views", || post(traces::save_view)),
    does("/p/{project}/views/{view}/delete", || {
        post(traces::delete_view)
    }),
    shows("/p/{project}/traces/{trace}", || get(traces::show_trace)),
    does("/p/{project}/traces/{trace}/public", || {
        post(traces::publish_trace)
    }),
    // Sessions
    shows("/p/{project}/sessions", || get(sessions::list_sessions)),
    shows("/p/{project}/sessions/{session}", || {
        get(sessions::show_session)
    }),
    // Users
    shows("/p/{project}/users", || get(users::list_users)),
    shows("/p/{project}/users/{user}", || get(users::show_user)),
    // Costs
    shows("/p/{project}/costs", || get(costs::show_costs)),
    shows("/p/{project}/cache", || get(costs::show_cache)),
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
    does("/p/{project}/traces/{trace}/comments", || {
        post(spans::create_comment)
    }),
    does(
        "/p/{project}/traces/{trace}/comments/{comment}/delete",
        || post(spans::delete_comment),
    ),
    does("/p/{project}/traces/{trace}/delete", || {
        post(traces::delete_trace)
    }),
    shows("/p/{project}/traces/{trace}/spans/{span}/{which}", || {
        get(spans::download_content)
    }),
    // Dashboards
    shows("/p/{project}/dashboards", || {
        get(dashboards::list_dashboards)
    }),
    does("/p/{project}/dashboards", || {
        post(dashboards::create_dashboard)
    }),
    shows("/p/{project}/dashboards/{dashboard}", || {
        get(dashboards::show_dashboard)
    }),
    shows("/p/{project}/dashboards/{dashboard}/export", || {
        get(dashboards::export_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/rename", || {
        post(dashboards::rename_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/clone", || {
        post(dashboards::clone_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/delete", || {
        post(dashboards::delete_dashboard)
    }),
    does("/p/{project}/dashboards/{dashboard}/place", || {
        post(dashboards::place_widget)
    }),
    shows("/p/{project}/dashboards/{dashboard}/widgets/new", || {
        get(dashboards::build_widget)
    }),
    does("/p/{project}/dashboards/{dashboard}/widgets/new", || {
        post(dashboards::save_new_widget)
    }),
    shows(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}",
        || get(dashboards::edit_widget),
    ),
    does(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}",
        || post(dashboards::save_widget),
    ),
    shows(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}/csv",
        || get(dashboards::show_csv),
    ),
    does(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}/copy",
        || post(dashboards::copy_widget),
    ),
    does(
        "/p/{project}/dashboards/{dashboard}/widgets/{widget}/delete",
        || post(dashboards::delete_widget),
    ),
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
    shows("/p/{project}/datasets/new", || get(datasets::new_dataset)),
    does("/p/{project}/datasets/new", || {
        post(datasets::create_dataset)
    }),
    shows("/p/{project}/datasets/add", || get(datasets::add_span)),
    does("/p/{project}/datasets/add", || post(datasets::create_item)),
    shows("/p/{project}/datasets/{dataset}", || {
        get(datasets::show_dataset)
    }),
    shows("/p/{project}/datasets/{dataset}/settings", || {
        get(datasets::show_settings)
    }),
    does("/p/{project}/datasets/{dataset}/settings", || {
        post(datasets::update_dataset)
    }),
    does("/p/{project}/datasets/{dataset}/archive", || {
        post(datasets::archive_dataset)
    }),
    shows("/p/{project}/datasets/{dataset}/new-item", || {
        get(datasets::new_item)
    }),
    shows("/p/{project}/datasets/{dataset}/items/{item}", || {
        get(datasets::show_item)
    }),
    does("/p/{project}/datasets/{dataset}/items/{item}", || {
        post(datasets::update_item)
    }),
    does(
        "/p/{project}/datasets/{dataset}/items/{item}/archive",
        || post(datasets::archive_item),
    ),
    shows("/p/{project}/datasets/{dataset}/export/{form}", || {
        get(datasets::export_items)
    }),
    shows("/p/{project}/datasets/{dataset}/import", || {
        get(datasets::show_import)
    }),
    does("/p/{project}/datasets/{dataset}/import", || {
        post(datasets::upload_file).layer(DefaultBodyLimit::max(datasets::MAX_FORM_BYTES))
    }),
    shows("/p/{project}/datasets/{dataset}/import/{upload}", || {
        get(datasets::preview_import)
    }),
    does("/p/{project}/datasets/{dataset}/import/{upload}", || {
        post(datasets::import_file)
    }),
    shows("/p/{project}/datasets/{dataset}/compare", || {
        get(datasets::compare_runs)
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
    shows("/project/{project}/datasets/{dataset}/items/{item}", || {
        get(datasets::forward_item)
    }),
    shows("/project/{project}/datasets/{dataset}/runs", || {
        get(datasets::forward_dataset)
    }),
    shows("/project/{project}/datasets/{dataset}/runs/{run}", || {
        get(datasets::forward_run)
    }),
    shows("/project/{project}/experiments", || {
        get(datasets::forward_datasets)
    }),
    shows("/project/{project}/experiments/results", || {
        get(datasets::forward_experiment)
    }),
    // Annotation
    shows("/p/{project}/queues", || get(queues::list_queues)),
    shows("/p/{project}/queues/new", || get(queues::new_queue)),
    does("/p/{project}/queues/new", || post(queues::create_queue)),
    shows("/p/{project}/queues/add", || get(queues::choose_queue)),
    does("/p/{project}/queues/add", || post(queues::add_to_queue)),
    shows("/p/{project}/queues/{queue}", || get(queues::show_queue)),
    shows("/p/{project}/queues/{queue}/edit", || {
        get(queues::edit_queue)
    }),
    does("/p/{project}/queues/{queue}/edit", || {
        post(queues::update_queue)
    }),
    does("/p/{project}/queues/{queue}/archive", || {
        post(queues::archive_queue)
    }),
    does("/p/{project}/queues/{queue}/people", || {
        post(queues::assign_person)
    }),
    does("/p/{project}/queues/{queue}/fill", || {
        post(queues::fill_queue)
    }),
    does("/p/{project}/queues/{queue}/label", || {
        post(queues::open_next)
    }),
    shows("/p/{project}/queues/{queue}/items/{item}", || {
        get(queues::show_item)
    }),
    does("/p/{project}/queues/{queue}/items/{item}", || {
        post(queues::judge_item)
    }),
    does("/p/{project}/queues/{queue}/items/{item}/decide", || {
        post(queues::decide_item)
    }),
    shows("/p/{project}/queues/{queue}/agreement", || {
        get(queues::show_agreement)
    }),
    does("/p/{project}/queues/{queue}/export", || {
        post(queues::export_queue)
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
    shows("/p/{project}/traces/{trace}/graph", || {
        get(traces::show_graph)
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
    shows("/p/{project}/settings/scores", || {
        get(settings::list_score_configs)
    }),
    does("/p/{project}/settings/scores", || {
        post(settings::create_score_config)
    }),
    does("/p/{project}/settings/scores/{config}/archive", || {
        post(settings::archive_score_config)
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
