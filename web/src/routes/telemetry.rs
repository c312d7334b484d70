//! Traces and what is told of many of them.

use axum::routing::{get, post};

use super::{Page, does, shows};
use crate::pages::{
    costs, home, jobs, media, overview, preferences, prompts, sessions, sign_in, spans, traces,
    users,
};

pub(super) static PAGES: &[Page] = &[
    // Anybody
    shows("/sign-in", || get(sign_in::show_sign_in)),
    does("/sign-in", || post(sign_in::create_session)),
    shows("/sign-in/oidc", || get(sign_in::begin_oidc)),
    shows("/sign-in/oidc/callback", || get(sign_in::finish_oidc)),
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
    does("/p/{project}/sessions/{session}/comments", || {
        post(sessions::create_session_comment)
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
    // Attachments
    shows("/p/{project}/media/{media}", || get(media::show_media)),
];
