//! Settings: project, API keys, members, prices of models, expectations, scrape targets, connections.

use domain::tenancy::Permission;

use crate::extract::Reader;
use crate::layout::Choice;
use crate::urls;

/// Who did what and who saw what.
mod audit_log;
/// Users of the application who are forgotten.
mod deletions;
/// What is expected of models.
mod expectations;
/// API keys.
mod keys;
/// Connections to providers of models.
mod llm_connections;
/// What is not stored.
mod masking;
/// Members of the organisation.
mod members;
/// Prices of models.
mod prices;
/// Name of the project, another project.
mod project;
/// How long what is kept.
mod retention;
/// Roles to choose from.
mod role;
/// What scores may be.
mod score_configs;
/// Targets that metrics are fetched from.
mod scrape_targets;
/// How requests find their instances, and these their GPUs.
mod topology;

pub(crate) use audit_log::{export_audit_log, list_audit_log, verify_audit_log};
pub(crate) use deletions::{
    DeletionPage, DeletionsPage, ToldOfUsers, create_deletion, create_legal_hold,
    download_certificate, lift_legal_hold, list_deletions, set_deletion_settings, show_deletion,
};
pub(crate) use expectations::{
    ExpectationsPage, create_objective, create_quality_rule, delete_objective, delete_quality_rule,
    list_expectations,
};
pub(crate) use keys::{KeysPage, create_key, list_keys, revoke_key};
pub(crate) use llm_connections::{
    LlmConnectionsPage, create_llm_connection, delete_llm_connection, list_llm_connections,
    test_llm_connection, update_llm_connection,
};
pub(crate) use masking::{MaskingPage, set_masking, show_masking};
pub(crate) use members::{
    MembersPage, add_member, change_role, list_members, remove_member, sign_member_out,
};
pub(crate) use prices::{
    GpuSection, PricesPage, create_gpu_price, create_price, create_reprice, delete_gpu_price,
    delete_price, list_prices, update_price,
};
pub(crate) use project::{
    ProjectPage, allow_public_links, create_project, protect_labels, rename_project, show_project,
};
pub(crate) use retention::{RetentionPage, set_content_sampling, set_retention, show_retention};
pub(crate) use score_configs::{
    ScoreConfigsPage, archive_score_config, create_score_config, kind as score_kind,
    list_score_configs,
};
pub(crate) use scrape_targets::{
    ScrapeTargetsPage, create_scrape_target, delete_scrape_target, list_scrape_targets,
    test_scrape_target, update_scrape_target,
};
pub(crate) use topology::{Found, TopologyPage, set_topology, show_topology};

/// The pages of settings that the reader may see.
pub(crate) fn tabs(reader: &Reader, open: usize) -> Vec<Choice> {
    use Permission::{Read, ReadAuditLog, ReadCompliance, ReadMembers};
    let (id, lang) = (reader.id(), reader.lang());
    let may = |permission: Permission| match permission {
        // Members are those of the organisation.
        ReadMembers => reader.may(permission) && reader.may_in_organisation(permission),
        _ => reader.may(permission),
    };
    [
        (Read, lang.t("Project"), urls::settings(id)),
        (Read, lang.t("API keys"), urls::api_keys(id)),
        (ReadMembers, lang.t("Members"), urls::members(id)),
        (Read, lang.t("Model prices"), urls::prices(id)),
        (Read, lang.t("Expectations"), urls::expectations(id)),
        (Read, lang.t("Scrape targets"), urls::scrape_targets(id)),
        (Read, lang.t("Topology"), urls::topology(id)),
        (Read, lang.t("Scores"), urls::score_configs(id)),
        (Read, lang.t("LLM connections"), urls::llm_connections(id)),
        (ReadCompliance, lang.t("Deletions"), urls::deletions(id)),
        (ReadCompliance, lang.t("Masking"), urls::masking(id)),
        (ReadCompliance, lang.t("Retention"), urls::retention(id)),
        (ReadAuditLog, lang.t("Audit log"), urls::audit_log(id)),
    ]
    .into_iter()
    .enumerate()
    .filter(|(_, (permission, ..))| may(*permission))
    .map(|(at, (_, label, url))| Choice {
        label: label.to_owned(),
        url,
        current: at == open,
    })
    .collect()
}
