//! One dataset, and lists of them.

use domain::dataset::{Dataset, DatasetName};
use domain::{DatasetId, ProjectId};

use super::row::Row;
use super::{rows, texts};
use crate::{Postgres, StoreError, Transaction};

/// A query of datasets: what follows the columns, then its parameters.
macro_rules! select_datasets {
    ($rest:tt $(, $parameter:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"SELECT
                 id,
                 name,
                 kind,
                 description,
                 metadata::TEXT AS "metadata!",
                 input_schema::TEXT AS input_schema,
                 expected_output_schema::TEXT AS expected_output_schema,
                 archived_at,
                 created_at,
                 updated_at
             FROM datasets "# + $rest
            $(, $parameter)*
        )
    };
}

/// The dataset that has one of some names; where several do, that of the first of these names.
///
/// # Errors
/// When Postgres is away.
pub async fn find(
    tx: &mut Transaction,
    project: ProjectId,
    names: &[DatasetName],
) -> Result<Option<Dataset>, StoreError> {
    let row = select_datasets!(
        "WHERE project_id = $1 AND name = ANY ($2::TEXT[])
         ORDER BY array_position($2::TEXT[], name)
         LIMIT 1",
        project.as_uuid(),
        &texts(names)
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| row.into_dataset(project)).transpose()
}

/// The dataset of an id.
///
/// # Errors
/// When Postgres is away.
pub async fn find_by_id(
    tx: &mut Transaction,
    project: ProjectId,
    id: DatasetId,
) -> Result<Option<Dataset>, StoreError> {
    let row = select_datasets!(
        "WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| row.into_dataset(project)).transpose()
}

/// The dataset of a name, which nobody changes or deletes until the end of the transaction; others may
/// hold it, too.
///
/// # Errors
/// When Postgres is away.
pub async fn hold(
    tx: &mut Transaction,
    project: ProjectId,
    name: &DatasetName,
) -> Result<Option<Dataset>, StoreError> {
    let row = select_datasets!(
        "WHERE project_id = $1 AND name = $2
         FOR SHARE",
        project.as_uuid(),
        name.as_str()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| row.into_dataset(project)).transpose()
}

/// The same, alone.
///
/// # Errors
/// When Postgres is away.
pub async fn lock(
    tx: &mut Transaction,
    project: ProjectId,
    name: &DatasetName,
) -> Result<Option<Dataset>, StoreError> {
    let row = select_datasets!(
        "WHERE project_id = $1 AND name = $2
         FOR UPDATE",
        project.as_uuid(),
        name.as_str()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| row.into_dataset(project)).transpose()
}

/// The dataset of an id, locked like that of a name.
///
/// # Errors
/// When Postgres is away.
pub async fn lock_by_id(
    tx: &mut Transaction,
    project: ProjectId,
    id: DatasetId,
) -> Result<Option<Dataset>, StoreError> {
    let row = select_datasets!(
        "WHERE project_id = $1 AND id = $2
         FOR UPDATE",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| row.into_dataset(project)).transpose()
}

/// Makes a dataset, unless there is one of its name; whether there was none.
///
/// # Errors
/// When Postgres is away.
pub async fn create(tx: &mut Transaction, dataset: &Dataset) -> Result<bool, StoreError> {
    let made = sqlx::query!(
        "INSERT INTO datasets
             (id, project_id, name, kind, description, metadata, input_schema, expected_output_schema,
              created_at, updated_at)
         VALUES ($1, $2, $3, $10, $4, $5::TEXT::JSON, $6::TEXT::JSON, $7::TEXT::JSON, $8, $9)
         ON CONFLICT ON CONSTRAINT datasets_project_id_name_key DO NOTHING",
        dataset.id.as_uuid(),
        dataset.project_id.as_uuid(),
        dataset.name.as_str(),
        dataset.description,
        dataset.metadata.to_string(),
        dataset.input_schema.as_ref().map(ToString::to_string),
        dataset
            .expected_output_schema
            .as_ref()
            .map(ToString::to_string),
        dataset.created_at.to_utc(),
        dataset.updated_at.to_utc(),
        dataset.kind.as_str()
    )
    .execute(tx.connection())
    .await?;
    Ok(made.rows_affected() == 1)
}

/// The constraint that keeps a name from being given twice.
pub const NAME_KEY: &str = "datasets_project_id_name_key";

/// Changes a dataset that is locked.
///
/// # Errors
/// When Postgres is away, and by [`NAME_KEY`] when another one has its name.
pub async fn update(tx: &mut Transaction, dataset: &Dataset) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE datasets
         SET
             name = $3,
             description = $4,
             metadata = $5::TEXT::JSON,
             input_schema = $6::TEXT::JSON,
             expected_output_schema = $7::TEXT::JSON,
             archived_at = $8,
             updated_at = $9
         WHERE project_id = $1 AND id = $2",
        dataset.project_id.as_uuid(),
        dataset.id.as_uuid(),
        dataset.name.as_str(),
        dataset.description,
        dataset.metadata.to_string(),
        dataset.input_schema.as_ref().map(ToString::to_string),
        dataset
            .expected_output_schema
            .as_ref()
            .map(ToString::to_string),
        dataset.archived_at.map(domain::Timestamp::to_utc),
        dataset.updated_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Datasets, newest first, from the one at `offset`, at most `limit`, and how many there are in all.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    (offset, limit): (u64, u32),
) -> Result<(Vec<Dataset>, u64), StoreError> {
    let mut tx = db.begin_reading().await?;
    let found = select_datasets!(
        "WHERE project_id = $1
         ORDER BY created_at DESC, id DESC
         LIMIT $2 OFFSET $3",
        project.as_uuid(),
        i64::from(limit),
        rows(offset)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!" FROM datasets WHERE project_id = $1"#,
        project.as_uuid()
    )
    .fetch_one(tx.connection())
    .await?;
    let datasets = found.into_iter().map(|row| row.into_dataset(project));
    Ok((datasets.collect::<Result<_, _>>()?, total.unsigned_abs()))
}
