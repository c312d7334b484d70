//! Makes invisible what goes beside whole traces ([`crate::traces::delete`]).

use domain::{ProjectId, SpanId, TraceId};

use crate::client::ClickHouse;
use crate::error::StoreError;

/// A span that goes while others of its trace stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its trace.
    pub trace_id: TraceId,
    /// The span.
    pub span_id: SpanId,
}

/// A log record that goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogKey {
    /// Its trace; empty outside of any.
    pub trace_id: String,
    /// Hash of what it says.
    pub content: u64,
}

/// The spans go last, so that a deletion that broke off finds them again.
const PARTS: [&str; 4] = [
    "DELETE FROM scores WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)} \
     AND (trace_id, observation_id) IN arrayZip({trace_ids:Array(String)}, {span_ids:Array(String)})",
    "DELETE FROM changes WHERE project_id = {project_id:UUID} AND id IN {span_ids:Array(String)} \
     AND (trace_id = '' OR trace_id IN {trace_ids:Array(String)})",
    "DELETE FROM logs WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)} \
     AND (trace_id, span_id) IN arrayZip({trace_ids:Array(String)}, {span_ids:Array(String)})",
    "DELETE FROM spans WHERE project_id = {project_id:UUID} AND trace_id IN {trace_ids:Array(String)} \
     AND (trace_id, span_id) IN arrayZip({trace_ids:Array(String)}, {span_ids:Array(String)})",
];

const SESSION_SCORES: &str = "DELETE FROM scores WHERE project_id = {project_id:UUID} AND trace_id = '' \
     AND session_id IN {session_ids:Array(String)}";

const LOGS: &str = "DELETE FROM logs WHERE project_id = {project_id:UUID} \
     AND trace_id IN {trace_ids:Array(String)} AND content IN {contents:Array(UInt64)}";

/// Makes spans invisible with their log records, their scores and the changes that they were put together from.
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe. So for all here.
pub async fn delete_parts(
    clickhouse: &ClickHouse,
    project: ProjectId,
    parts: &[Part],
) -> Result<(), StoreError> {
    let traces: Vec<&str> = parts.iter().map(|part| part.trace_id.as_str()).collect();
    let spans: Vec<&str> = parts.iter().map(|part| part.span_id.as_str()).collect();
    for statement in PARTS {
        clickhouse
            .statement(statement)
            .with_setting("lightweight_deletes_sync", "2")
            .param("project_id", project.to_string())
            .param("trace_ids", &traces)
            .param("span_ids", &spans)
            .execute()
            .await?;
    }
    Ok(())
}

/// Makes scores of some sessions invisible.
///
/// # Errors
/// As [`delete_parts`].
pub async fn delete_session_scores(
    clickhouse: &ClickHouse,
    project: ProjectId,
    sessions: &[&str],
) -> Result<(), StoreError> {
    clickhouse
        .statement(SESSION_SCORES)
        .with_setting("lightweight_deletes_sync", "2")
        .param("project_id", project.to_string())
        .param("session_ids", sessions)
        .execute()
        .await?;
    Ok(())
}

/// Makes log records invisible.
///
/// # Errors
/// As [`delete_parts`].
pub async fn delete_logs(
    clickhouse: &ClickHouse,
    project: ProjectId,
    logs: &[LogKey],
) -> Result<(), StoreError> {
    let traces: Vec<&str> = logs.iter().map(|log| log.trace_id.as_str()).collect();
    let contents: Vec<u64> = logs.iter().map(|log| log.content).collect();
    clickhouse
        .statement(LOGS)
        .with_setting("lightweight_deletes_sync", "2")
        .param("project_id", project.to_string())
        .param("trace_ids", &traces)
        .param("contents", &contents)
        .execute()
        .await?;
    Ok(())
}
