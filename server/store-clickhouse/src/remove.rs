//! Removes all telemetry of a project.

use domain::ProjectId;

use crate::client::ClickHouse;
use crate::error::StoreError;

/// Every table with rows of projects; a test compares.
pub const TABLES: [&str; 8] = [
    "samples",
    "series",
    "scores",
    "changes",
    "logs",
    "spans",
    "traces",
    "new_costs",
];

/// Lightweight, as those of single traces: no read sees the rows any more, merges remove them from the
/// disk.
const STATEMENTS: [&str; TABLES.len()] = [
    "DELETE FROM samples WHERE project_id = {project_id:UUID}",
    "DELETE FROM series WHERE project_id = {project_id:UUID}",
    "DELETE FROM scores WHERE project_id = {project_id:UUID}",
    "DELETE FROM changes WHERE project_id = {project_id:UUID}",
    "DELETE FROM logs WHERE project_id = {project_id:UUID}",
    "DELETE FROM spans WHERE project_id = {project_id:UUID}",
    "DELETE FROM traces WHERE project_id = {project_id:UUID}",
    "DELETE FROM new_costs WHERE project_id = {project_id:UUID}",
];

/// Makes everything of a project invisible that is there now.
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe.
pub async fn remove_project(clickhouse: &ClickHouse, project: ProjectId) -> Result<(), StoreError> {
    for statement in STATEMENTS {
        clickhouse
            .statement(statement)
            .with_setting("lightweight_deletes_sync", "2")
            .param("project_id", project.to_string())
            .execute()
            .await?;
    }
    Ok(())
}
