//! Runs.

use domain::dataset::{DatasetRun, RunName};
use domain::{DatasetId, ProjectId, Timestamp};
use uuid::Uuid;

use super::row::RunRow;
use super::rows;
use crate::{Postgres, StoreError, Transaction};

/// A run with what its links come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The run.
    pub run: DatasetRun,
    /// Items that are linked.
    pub items: u64,
    /// When the last of them was.
    pub last_link: Option<Timestamp>,
}

/// Which runs, or links of them, are listed; an empty list stands for all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WantedRuns {
    /// Made then or later.
    pub from: Option<Timestamp>,
    /// Made before.
    pub to: Option<Timestamp>,
    /// With one of these ids.
    pub ids: Vec<String>,
    /// With one of these names.
    pub names: Vec<String>,
    /// Over one of these datasets.
    pub datasets: Vec<Uuid>,
    /// Of links: of one of these items.
    pub items: Vec<String>,
}

/// A query of runs: what follows the columns, then its parameters.
macro_rules! select_dataset_runs {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            RunRow,
            r#"SELECT
                 r.id,
                 r.dataset_id,
                 d.name AS dataset_name,
                 r.name,
                 r.description,
                 r.metadata::TEXT AS "metadata!",
                 r.created_at,
                 r.updated_at
             FROM dataset_runs r "# + $rest
            $(, $parameter)*
        )
    };
}

/// Makes a run, unless it is there: then it gets what it does not have yet. One that was deleted begins
/// anew. What it is now.
///
/// # Errors
/// When Postgres is away.
pub async fn start_run(
    tx: &mut Transaction,
    project: ProjectId,
    run: &DatasetRun,
) -> Result<DatasetRun, StoreError> {
    let row = sqlx::query_as!(
        RunRow,
        r#"INSERT INTO dataset_runs AS r
             (project_id, id, dataset_id, name, description, metadata, created_at, updated_at,
              is_deleted)
         VALUES ($1, $2, $3, $4, $5, $6::TEXT::JSON, $7, $8, FALSE)
         ON CONFLICT ON CONSTRAINT dataset_runs_pkey DO UPDATE
         SET
             description = coalesce(r.description, excluded.description),
             metadata = CASE r.metadata::TEXT WHEN 'null' THEN excluded.metadata ELSE r.metadata END,
             created_at = CASE WHEN r.is_deleted THEN excluded.created_at ELSE r.created_at END,
             updated_at = greatest(r.updated_at, excluded.updated_at),
             is_deleted = FALSE
         RETURNING
             id,
             dataset_id,
             $9::TEXT AS "dataset_name!",
             name,
             description,
             metadata::TEXT AS "metadata!",
             created_at,
             updated_at"#,
        project.as_uuid(),
        run.id.as_str(),
        run.dataset_id.as_uuid(),
        run.name.as_str(),
        run.description,
        run.metadata.to_string(),
        run.created_at.to_utc(),
        run.updated_at.to_utc(),
        run.dataset_name.as_str()
    )
    .fetch_one(tx.connection())
    .await?;
    row.into_run()
}

/// The run of a dataset that has one of some names; where several do, that of the first of these names.
///
/// # Errors
/// When Postgres is away.
pub async fn find_run(
    tx: &mut Transaction,
    (project, dataset): (ProjectId, DatasetId),
    names: &[RunName],
) -> Result<Option<DatasetRun>, StoreError> {
    let names: Vec<String> = names.iter().map(RunName::to_string).collect();
    let row = select_dataset_runs!(
        "JOIN datasets d ON d.id = r.dataset_id
         WHERE r.project_id = $1 AND r.dataset_id = $2 AND NOT r.is_deleted
             AND r.name = ANY ($3::TEXT[])
         ORDER BY array_position($3::TEXT[], r.name)
         LIMIT 1",
        project.as_uuid(),
        dataset.as_uuid(),
        &names
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(RunRow::into_run).transpose()
}

/// The ids of all runs over a dataset, deleted ones too, in no order.
///
/// # Errors
/// When Postgres is away.
pub async fn run_ids(
    tx: &mut Transaction,
    (project, dataset): (ProjectId, DatasetId),
) -> Result<Vec<String>, StoreError> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM dataset_runs WHERE project_id = $1 AND dataset_id = $2",
        project.as_uuid(),
        dataset.as_uuid()
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids)
}

/// Deletes a run with its links; one that was never linked is written down as deleted.
///
/// # Errors
/// When Postgres is away.
pub async fn delete_run(
    tx: &mut Transaction,
    project: ProjectId,
    run: &DatasetRun,
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM dataset_run_items WHERE project_id = $1 AND run_id = $2",
        project.as_uuid(),
        run.id.as_str()
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "INSERT INTO dataset_runs
             (project_id, id, dataset_id, name, metadata, created_at, updated_at, is_deleted)
         VALUES ($1, $2, $3, $4, 'null', $5, $6, TRUE)
         ON CONFLICT ON CONSTRAINT dataset_runs_pkey DO UPDATE
         SET description = NULL, metadata = 'null', is_deleted = TRUE",
        project.as_uuid(),
        run.id.as_str(),
        run.dataset_id.as_uuid(),
        run.name.as_str(),
        run.created_at.to_utc(),
        run.updated_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Runs over a dataset, newest first, from the one at `offset`, at most `limit`, and how many there are
/// in all.
///
/// # Errors
/// When Postgres is away.
pub async fn list_runs(
    tx: &mut Transaction,
    (project, dataset): (ProjectId, DatasetId),
    (offset, limit): (u64, u32),
) -> Result<(Vec<DatasetRun>, u64), StoreError> {
    let found = select_dataset_runs!(
        "JOIN datasets d ON d.id = r.dataset_id
         WHERE r.project_id = $1 AND r.dataset_id = $2 AND NOT r.is_deleted
         ORDER BY r.created_at DESC, r.id DESC
         LIMIT $3 OFFSET $4",
        project.as_uuid(),
        dataset.as_uuid(),
        i64::from(limit),
        rows(offset)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!"
         FROM dataset_runs
         WHERE project_id = $1 AND dataset_id = $2 AND NOT is_deleted"#,
        project.as_uuid(),
        dataset.as_uuid()
    )
    .fetch_one(tx.connection())
    .await?;
    let runs = found.into_iter().map(RunRow::into_run);
    Ok((runs.collect::<Result<_, _>>()?, total.unsigned_abs()))
}

/// Runs of a project, newest first, those before a place, at most `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn newest_runs(
    db: &Postgres,
    project: ProjectId,
    wanted: &WantedRuns,
    (before, limit): (Option<(Timestamp, &str)>, u32),
) -> Result<Vec<Summary>, StoreError> {
    let (before_time, before_id) = before.unzip();
    let found = sqlx::query!(
        r#"SELECT
             r.id,
             r.dataset_id,
             d.name AS dataset_name,
             r.name,
             r.description,
             r.metadata::TEXT AS "metadata!",
             r.created_at,
             r.updated_at,
             links.items AS "items!",
             links.last_link
         FROM dataset_runs r
         JOIN datasets d ON d.id = r.dataset_id
         CROSS JOIN LATERAL (
             SELECT count(*) AS items, max(l.created_at) AS last_link
             FROM dataset_run_items l
             WHERE l.project_id = r.project_id AND l.run_id = r.id
         ) links
         WHERE r.project_id = $1 AND NOT r.is_deleted
             AND ($2::TIMESTAMPTZ IS NULL OR r.created_at >= $2)
             AND ($3::TIMESTAMPTZ IS NULL OR r.created_at < $3)
             AND (cardinality($4::TEXT[]) = 0 OR r.id = ANY ($4))
             AND (cardinality($5::TEXT[]) = 0 OR r.name = ANY ($5))
             AND (cardinality($6::UUID[]) = 0 OR r.dataset_id = ANY ($6))
             AND ($7::TIMESTAMPTZ IS NULL OR (r.created_at, r.id) < ($7, $8))
         ORDER BY r.created_at DESC, r.id DESC
         LIMIT $9"#,
        project.as_uuid(),
        wanted.from.map(Timestamp::to_utc),
        wanted.to.map(Timestamp::to_utc),
        &wanted.ids,
        &wanted.names,
        &wanted.datasets,
        before_time.map(Timestamp::to_utc),
        before_id.unwrap_or_default(),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    let summary = |row: RunWithLinks| {
        Ok(Summary {
            run: row.run.into_run()?,
            items: row.items.unsigned_abs(),
            last_link: row.last_link.map(Timestamp::from),
        })
    };
    let rows = found.into_iter().map(|row| RunWithLinks {
        run: RunRow {
            id: row.id,
            dataset_id: row.dataset_id,
            dataset_name: row.dataset_name,
            name: row.name,
            description: row.description,
            metadata: row.metadata,
            created_at: row.created_at,
            updated_at: row.updated_at,
        },
        items: row.items,
        last_link: row.last_link,
    });
    rows.map(summary).collect()
}

struct RunWithLinks {
    run: RunRow,
    items: i64,
    last_link: Option<time::OffsetDateTime>,
}
