//! Contents outside of the sample that are kept all the same.

use domain::ProjectId;
use domain::content_sampling::ContentSampling;

use super::stamp::SECONDS;
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const CHOSEN: &str = include_str!("chosen.sql");

const CHOOSE: [&str; 2] = [
    "ALTER TABLE spans UPDATE keep_rule = 'chosen' WHERE project_id = {project_id:UUID} AND keep_rule = 'sampled' AND (\
     {keep_errors:Bool} AND trace_id IN (SELECT trace_id FROM spans WHERE project_id = {project_id:UUID} \
     AND (status = 'error' OR level = 'ERROR')) \
     OR trace_id IN (SELECT trace_id FROM scores WHERE project_id = {project_id:UUID} AND {score_name:String} != '' \
     AND name = {score_name:String} AND data_type IN ('NUMERIC', 'BOOLEAN') AND value < {score_below:Float64}))",
    "ALTER TABLE logs UPDATE keep_rule = 'chosen' WHERE project_id = {project_id:UUID} AND keep_rule = 'sampled' \
     AND trace_id IN (SELECT trace_id FROM spans WHERE project_id = {project_id:UUID} AND keep_rule = 'chosen')",
];

/// Marks what is outside of the sample and worth keeping, so that [`super::stamp()`] gives it the days of the others; how
/// many spans there were.
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe.
pub async fn choose(
    clickhouse: &ClickHouse,
    project: ProjectId,
    sampling: &ContentSampling,
) -> Result<u64, StoreError> {
    let low = sampling.keep_low_scores.as_ref();
    let (name, below) = low.map_or(("", 0.0), |low| (low.name.as_str(), low.below));
    let chosen = clickhouse
        .read(CHOSEN)
        .param("project_id", project.to_string())
        .param("keep_errors", sampling.keep_errors)
        .param("score_name", name)
        .param("score_below", below)
        .rows::<u64>()
        .await?;
    let chosen = chosen.first().copied().unwrap_or(0);
    if chosen == 0 {
        return Ok(0);
    }
    for statement in CHOOSE {
        clickhouse
            .statement(statement)
            .with_setting("mutations_sync", "2")
            .with_setting("max_execution_time", SECONDS)
            .param("project_id", project.to_string())
            .param("keep_errors", sampling.keep_errors)
            .param("score_name", name)
            .param("score_below", below)
            .execute()
            .await?;
    }
    Ok(chosen)
}
