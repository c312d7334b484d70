//! Deletes traces with their log records, their scores and the changes that they were put together from.

use domain::{ProjectId, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;

/// Lightweight: the rows are marked and no read sees them any more when this returns; merges remove
/// them from the disk. Each statement rewrites marks of whole parts, however few its rows are: a hundred
/// traces at once cost little more than one. The index goes last, so that a deletion that broke off can
/// be repeated.
const STATEMENTS: [&str; 5] = [
    "DELETE FROM scores WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)}",
    // An update need not name its trace: it goes with the creation that does.
    "DELETE FROM changes WHERE project_id = {project_id:UUID} AND (trace_id IN {trace_ids:Array(String)} \
     OR subject = 'observation' AND id IN (\
     SELECT id FROM changes WHERE project_id = {project_id:UUID} AND subject = 'observation' \
     AND trace_id IN {trace_ids:Array(String)}))",
    "DELETE FROM logs WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)}",
    "DELETE FROM spans WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)}",
    "DELETE FROM traces WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)}",
];

/// Makes traces invisible at once.
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe.
pub async fn delete(
    clickhouse: &ClickHouse,
    project: ProjectId,
    trace_ids: &[&TraceId],
) -> Result<(), StoreError> {
    let ids: Vec<&str> = trace_ids.iter().map(|id| id.as_str()).collect();
    for statement in STATEMENTS {
        clickhouse
            .statement(statement)
            .with_setting("lightweight_deletes_sync", "2")
            .param("project_id", project.to_string())
            .param("trace_ids", &ids)
            .execute()
            .await?;
    }
    Ok(())
}
