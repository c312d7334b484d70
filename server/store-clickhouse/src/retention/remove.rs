//! Ends what is past its time: for every reader at once, on the disk with the next merges.

use domain::retention::RetentionSettings;
use domain::{ProjectId, Timestamp};

use super::stamp::SECONDS;
use super::{before_ns, nanos};
use crate::client::ClickHouse;
use crate::error::StoreError;

const ROWS: [&str; 2] = [
    "DELETE FROM spans WHERE project_id = {project_id:UUID} \
     AND structure_days > 0 AND start_time + toIntervalDay(structure_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')",
    "DELETE FROM logs WHERE project_id = {project_id:UUID} AND time > '1971-01-01 00:00:00' \
     AND structure_days > 0 AND time + toIntervalDay(structure_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')",
];

/// What hangs on traces of which no span is left. `traces` goes last: it is what they are found by.
const SHELLS: [&str; 4] = [
    "DELETE FROM scores WHERE project_id = {project_id:UUID} AND trace_id IN (\
     SELECT trace_id FROM traces WHERE project_id = {project_id:UUID} \
     AND last_start < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC') \
     AND trace_id NOT IN (SELECT trace_id FROM spans WHERE project_id = {project_id:UUID}))",
    "DELETE FROM changes WHERE project_id = {project_id:UUID} AND trace_id IN (\
     SELECT trace_id FROM traces WHERE project_id = {project_id:UUID} \
     AND last_start < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC') \
     AND trace_id NOT IN (SELECT trace_id FROM spans WHERE project_id = {project_id:UUID}))",
    "DELETE FROM logs WHERE project_id = {project_id:UUID} AND trace_id IN (\
     SELECT trace_id FROM traces WHERE project_id = {project_id:UUID} \
     AND last_start < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC') \
     AND trace_id NOT IN (SELECT trace_id FROM spans WHERE project_id = {project_id:UUID}))",
    "DELETE FROM traces WHERE project_id = {project_id:UUID} \
     AND last_start < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC') \
     AND trace_id NOT IN (SELECT trace_id FROM spans WHERE project_id = {project_id:UUID})",
];

/// Changes that contents were put together from go with these.
const SOURCES: &str = "DELETE FROM changes WHERE project_id = {project_id:UUID} \
     AND time < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC') AND (\
     subject = 'observation' AND id IN (SELECT span_id FROM spans WHERE project_id = {project_id:UUID} \
     AND content_days > 0 AND start_time + toIntervalDay(content_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')) \
     OR subject = 'trace' AND id IN (SELECT trace_id FROM spans WHERE project_id = {project_id:UUID} \
     AND content_days > 0 AND start_time + toIntervalDay(content_days) < fromUnixTimestamp64Nano({now_ns:Int64}, 'UTC')))";

const METRICS: [&str; 2] = [
    "DELETE FROM samples WHERE project_id = {project_id:UUID} AND time < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC')",
    "DELETE FROM series WHERE project_id = {project_id:UUID} AND seen < fromUnixTimestamp64Nano({before_ns:Int64}, 'UTC')",
];

async fn run(
    clickhouse: &ClickHouse,
    statements: &[&str],
    project: ProjectId,
    (now_ns, before_ns): (i64, i64),
) -> Result<(), StoreError> {
    for statement in statements {
        clickhouse
            .statement(statement)
            .with_setting("lightweight_deletes_sync", "2")
            .with_setting("max_execution_time", SECONDS)
            .param("project_id", project.to_string())
            .param("now_ns", now_ns)
            .param("before_ns", before_ns)
            .execute()
            .await?;
    }
    Ok(())
}

/// Changes of older clients whose contents are past their time.
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe. So for all here.
pub async fn remove_sources(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
) -> Result<(), StoreError> {
    if settings.shortest_content().is_none() {
        return Ok(());
    }
    let times = (nanos(now), before_ns(settings.shortest_content(), now));
    run(clickhouse, &[SOURCES], project, times).await
}

/// Spans and log records that are past their time.
///
/// # Errors
/// As [`remove_sources`].
pub async fn remove_rows(
    clickhouse: &ClickHouse,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    run(clickhouse, &ROWS, project, (nanos(now), 0)).await
}

/// What hangs on traces of which nothing is left.
///
/// # Errors
/// As [`remove_sources`].
pub async fn remove_shells(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
) -> Result<(), StoreError> {
    if settings.shortest_structure().is_none() {
        return Ok(());
    }
    let times = (nanos(now), before_ns(settings.shortest_structure(), now));
    run(clickhouse, &SHELLS, project, times).await
}

/// Samples of metrics, and series that nothing was heard of since.
///
/// # Errors
/// As [`remove_sources`].
pub async fn remove_metrics(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (settings, now): (&RetentionSettings, Timestamp),
) -> Result<(), StoreError> {
    if settings.metrics_days.is_none() {
        return Ok(());
    }
    let times = (nanos(now), before_ns(settings.metrics_days, now));
    run(clickhouse, &METRICS, project, times).await
}
