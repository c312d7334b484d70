//! The account and the settings of a project.

use axum::routing::{get, post};

use super::{Page, does, shows};
use crate::pages::{account, mentions, settings};

pub(super) static PAGES: &[Page] = &[
    // One's own account
    shows("/p/{project}/account", || get(account::show_account)),
    does("/p/{project}/account", || post(account::change_password)),
    shows("/p/{project}/mentions", || get(mentions::list_mentions)),
    does("/p/{project}/mentions", || post(mentions::read_mentions)),
    shows("/p/{project}/mentions/{comment}", || {
        get(mentions::follow_mention)
    }),
    does("/p/{project}/account/sign-ins/end", || {
        post(account::end_sign_in)
    }),
    does("/p/{project}/account/sign-ins/end-others", || {
        post(account::end_others)
    }),
    // Settings
    shows("/p/{project}/settings", || get(settings::show_project)),
    does("/p/{project}/settings/public-links", || {
        post(settings::allow_public_links)
    }),
    does("/p/{project}/settings/protected-labels", || {
        post(settings::protect_labels)
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
    shows("/p/{project}/settings/llm-connections", || {
        get(settings::list_llm_connections)
    }),
    does("/p/{project}/settings/llm-connections", || {
        post(settings::create_llm_connection)
    }),
    does("/p/{project}/settings/llm-connections/{connection}", || {
        post(settings::update_llm_connection)
    }),
    does(
        "/p/{project}/settings/llm-connections/{connection}/test",
        || post(settings::test_llm_connection),
    ),
    does(
        "/p/{project}/settings/llm-connections/{connection}/delete",
        || post(settings::delete_llm_connection),
    ),
    shows("/p/{project}/settings/deletions", || {
        get(settings::list_deletions)
    }),
    does("/p/{project}/settings/deletions", || {
        post(settings::create_deletion)
    }),
    shows("/p/{project}/settings/deletions/{deletion}", || {
        get(settings::show_deletion)
    }),
    shows(
        "/p/{project}/settings/deletions/{deletion}/certificate",
        || get(settings::download_certificate),
    ),
    does("/p/{project}/settings/deletion-settings", || {
        post(settings::set_deletion_settings)
    }),
    does("/p/{project}/settings/legal-holds", || {
        post(settings::create_legal_hold)
    }),
    does("/p/{project}/settings/legal-holds/{hold}/lift", || {
        post(settings::lift_legal_hold)
    }),
    shows("/p/{project}/settings/masking", || {
        get(settings::show_masking)
    }),
    does("/p/{project}/settings/masking", || {
        post(settings::set_masking)
    }),
    shows("/p/{project}/settings/retention", || {
        get(settings::show_retention)
    }),
    does("/p/{project}/settings/retention", || {
        post(settings::set_retention)
    }),
    does("/p/{project}/settings/content-sampling", || {
        post(settings::set_content_sampling)
    }),
    shows("/p/{project}/settings/audit-log", || {
        get(settings::list_audit_log)
    }),
    shows("/p/{project}/settings/audit-log/export", || {
        get(settings::export_audit_log)
    }),
    does("/p/{project}/settings/audit-log/verify", || {
        post(settings::verify_audit_log)
    }),
    shows("/p/{project}/settings/members", || {
        get(settings::list_members)
    }),
    does("/p/{project}/settings/members", || {
        post(settings::add_member)
    }),
    does("/p/{project}/settings/members/{person}/role", || {
        post(settings::change_role)
    }),
    does("/p/{project}/settings/members/{person}/sign-out", || {
        post(settings::sign_member_out)
    }),
    does("/p/{project}/settings/members/{person}/remove", || {
        post(settings::remove_member)
    }),
];
