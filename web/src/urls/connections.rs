//! What the server reaches out to: targets of scrapes, providers of models.

use domain::{LlmConnectionId, ProjectId, ScrapeTargetId};

/// Targets that metrics are fetched from.
pub(crate) fn scrape_targets(project: ProjectId) -> String {
    format!("/p/{project}/settings/scrape-targets")
}

/// Changes a target.
pub(crate) fn scrape_target(project: ProjectId, target: ScrapeTargetId) -> String {
    format!("{}/{target}", scrape_targets(project))
}

/// The page with a target in its form.
pub(crate) fn scrape_target_edit(project: ProjectId, target: ScrapeTargetId) -> String {
    format!("{}?target={target}#set", scrape_targets(project))
}

/// Asks a target now.
pub(crate) fn scrape_target_test(project: ProjectId, target: ScrapeTargetId) -> String {
    format!("{}/test", scrape_target(project, target))
}

/// Deletes a target.
pub(crate) fn scrape_target_delete(project: ProjectId, target: ScrapeTargetId) -> String {
    format!("{}/delete", scrape_target(project, target))
}

/// Connections to providers of models.
pub(crate) fn llm_connections(project: ProjectId) -> String {
    format!("/p/{project}/settings/llm-connections")
}

/// Changes a connection.
pub(crate) fn llm_connection(project: ProjectId, connection: LlmConnectionId) -> String {
    format!("{}/{connection}", llm_connections(project))
}

/// The page with a connection in its form.
pub(crate) fn llm_connection_edit(project: ProjectId, connection: LlmConnectionId) -> String {
    format!("{}?connection={connection}#set", llm_connections(project))
}

/// Asks a connection for a word.
pub(crate) fn llm_connection_test(project: ProjectId, connection: LlmConnectionId) -> String {
    format!("{}/test", llm_connection(project, connection))
}

/// Deletes a connection.
pub(crate) fn llm_connection_delete(project: ProjectId, connection: LlmConnectionId) -> String {
    format!("{}/delete", llm_connection(project, connection))
}
