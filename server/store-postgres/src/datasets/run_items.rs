//! What runs made of items.

use domain::dataset::{DatasetRunItem, RunId};
use domain::{ProjectId, Timestamp};
use uuid::Uuid;

use super::row::RunItemRow;
use super::rows;
use super::runs::WantedRuns;
use crate::{Postgres, StoreError, Transaction};

/// A query of links: what follows the columns, then its parameters.
macro_rules! select_dataset_run_items {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            RunItemRow,
            r#"SELECT
                 l.id,
                 l.run_id,
                 r.name AS run_name,
                 l.item_id,
                 l.trace_id,
                 l.observation_id,
                 l.created_at,
                 l.updated_at
             FROM dataset_run_items l "# + $rest
            $(, $parameter)*
        )
    };
}

/// Links an item; the same link again is the one that is there.
///
/// # Errors
/// When Postgres is away.
pub async fn link(
    tx: &mut Transaction,
    project: ProjectId,
    link: &DatasetRunItem,
) -> Result<DatasetRunItem, StoreError> {
    let row = sqlx::query_as!(
        RunItemRow,
        r#"INSERT INTO dataset_run_items AS l
             (id, project_id, run_id, item_id, trace_id, observation_id, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT dataset_run_items_link_key DO UPDATE SET run_id = l.run_id
         RETURNING
             id,
             run_id,
             $9::TEXT AS "run_name!",
             item_id,
             trace_id,
             observation_id,
             created_at,
             updated_at"#,
        link.id,
        project.as_uuid(),
        link.run_id.as_str(),
        link.item_id.as_str(),
        link.trace_id.as_str(),
        link.observation_id.as_ref().map(domain::SpanId::as_str),
        link.created_at.to_utc(),
        link.updated_at.to_utc(),
        link.run_name.as_str()
    )
    .fetch_one(tx.connection())
    .await?;
    row.into_run_item()
}

/// Links of a run, newest first, from the one at `offset`, at most `limit`, and how many there are in
/// all.
///
/// # Errors
/// When Postgres is away.
pub async fn list_run_items(
    tx: &mut Transaction,
    (project, run): (ProjectId, &RunId),
    (offset, limit): (u64, u32),
) -> Result<(Vec<DatasetRunItem>, u64), StoreError> {
    let found = select_dataset_run_items!(
        "JOIN dataset_runs r ON r.project_id = l.project_id AND r.id = l.run_id
         WHERE l.project_id = $1 AND l.run_id = $2
         ORDER BY l.created_at DESC, l.id DESC
         LIMIT $3 OFFSET $4",
        project.as_uuid(),
        run.as_str(),
        i64::from(limit),
        rows(offset)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!" FROM dataset_run_items WHERE project_id = $1 AND run_id = $2"#,
        project.as_uuid(),
        run.as_str()
    )
    .fetch_one(tx.connection())
    .await?;
    let links = found.into_iter().map(RunItemRow::into_run_item);
    Ok((links.collect::<Result<_, _>>()?, total.unsigned_abs()))
}

/// Links of a project, newest first, those before a place, at most `limit`. Times are those of the links;
/// ids, names and datasets those of their runs.
///
/// # Errors
/// When Postgres is away.
pub async fn newest_links(
    db: &Postgres,
    project: ProjectId,
    wanted: &WantedRuns,
    (before, limit): (Option<(Timestamp, Uuid)>, u32),
) -> Result<Vec<DatasetRunItem>, StoreError> {
    let (before_time, before_id) = before.unzip();
    let found = select_dataset_run_items!(
        "JOIN dataset_runs r ON r.project_id = l.project_id AND r.id = l.run_id
         WHERE l.project_id = $1
             AND ($2::TIMESTAMPTZ IS NULL OR l.created_at >= $2)
             AND ($3::TIMESTAMPTZ IS NULL OR l.created_at < $3)
             AND (cardinality($4::TEXT[]) = 0 OR r.id = ANY ($4))
             AND (cardinality($5::TEXT[]) = 0 OR r.name = ANY ($5))
             AND (cardinality($6::UUID[]) = 0 OR r.dataset_id = ANY ($6))
             AND (cardinality($7::TEXT[]) = 0 OR l.item_id = ANY ($7))
             AND ($8::TIMESTAMPTZ IS NULL OR (l.created_at, l.id) < ($8, $9))
         ORDER BY l.created_at DESC, l.id DESC
         LIMIT $10",
        project.as_uuid(),
        wanted.from.map(Timestamp::to_utc),
        wanted.to.map(Timestamp::to_utc),
        &wanted.ids,
        &wanted.names,
        &wanted.datasets,
        &wanted.items,
        before_time.map(Timestamp::to_utc),
        before_id,
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    found.into_iter().map(RunItemRow::into_run_item).collect()
}
