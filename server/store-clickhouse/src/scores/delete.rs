//! Deletes a score.

use domain::ProjectId;

use crate::client::ClickHouse;
use crate::error::StoreError;

const STATEMENT: &str =
    "DELETE FROM scores WHERE project_id = {project_id:UUID} AND score_id = {score_id:String}";

/// Makes a score invisible at once, in all of its versions; nothing happens where there is none.
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe.
pub async fn delete(
    clickhouse: &ClickHouse,
    project: ProjectId,
    score_id: &str,
) -> Result<(), StoreError> {
    clickhouse
        .statement(STATEMENT)
        .with_setting("lightweight_deletes_sync", "2")
        .param("project_id", project.to_string())
        .param("score_id", score_id)
        .execute()
        .await?;
    Ok(())
}
