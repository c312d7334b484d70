//! Items as they are and as they were.

use domain::dataset::{DatasetItem, DatasetItemId, ItemStatus};
use domain::{DatasetId, ProjectId, SpanId, Timestamp, TraceId};

use super::row::{ItemRow, select_dataset_item_versions};
use super::rows;
use crate::{Postgres, StoreError, Transaction};

/// The last version of an item.
#[derive(Clone, Debug, PartialEq)]
pub enum Last {
    /// There is it.
    Item(Box<DatasetItem>),
    /// It says that the item is deleted, since then.
    Deleted(Timestamp),
    /// There never was one.
    Never,
}

/// Which items are listed: active ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WantedItems {
    /// Those of that dataset.
    pub dataset: Option<DatasetId>,
    /// Those that were taken from that trace.
    pub source_trace: Option<TraceId>,
    /// Those that were taken from that observation.
    pub source_observation: Option<SpanId>,
    /// As they were then.
    pub version: Option<Timestamp>,
}

/// The last version of the item of an id.
///
/// # Errors
/// When Postgres is away.
pub async fn last(
    tx: &mut Transaction,
    project: ProjectId,
    id: &DatasetItemId,
) -> Result<Last, StoreError> {
    let row = sqlx::query!(
        r#"SELECT
             v.is_deleted,
             v.dataset_id,
             d.name AS dataset_name,
             v.status,
             v.input::TEXT AS "input!",
             v.expected_output::TEXT AS "expected_output!",
             v.metadata::TEXT AS "metadata!",
             v.source_trace_id,
             v.source_observation_id,
             v.challenge,
             v.changed_by,
             v.reason,
             v.created_at,
             v.valid_from
         FROM dataset_item_versions v JOIN datasets d ON d.id = v.dataset_id
         WHERE v.project_id = $1 AND v.item_id = $2 AND v.valid_to IS NULL"#,
        project.as_uuid(),
        id.as_str()
    )
    .fetch_optional(tx.connection())
    .await?;
    let Some(row) = row else {
        return Ok(Last::Never);
    };
    if row.is_deleted {
        return Ok(Last::Deleted(row.valid_from.into()));
    }
    let row = ItemRow {
        item_id: id.to_string(),
        dataset_id: row.dataset_id,
        dataset_name: row.dataset_name,
        status: row.status,
        input: row.input,
        expected_output: row.expected_output,
        metadata: row.metadata,
        source_trace_id: row.source_trace_id,
        source_observation_id: row.source_observation_id,
        challenge: row.challenge,
        changed_by: row.changed_by,
        reason: row.reason,
        created_at: row.created_at,
        valid_from: row.valid_from,
    };
    Ok(Last::Item(Box::new(row.into_item()?)))
}

/// An item as it was at a time; `None` when it was not there.
///
/// # Errors
/// When Postgres is away.
pub async fn item_at(
    tx: &mut Transaction,
    project: ProjectId,
    id: &DatasetItemId,
    version: Timestamp,
) -> Result<Option<DatasetItem>, StoreError> {
    let row = select_dataset_item_versions!(
        "JOIN datasets d ON d.id = v.dataset_id
         WHERE v.project_id = $1 AND v.item_id = $2 AND NOT v.is_deleted
             AND v.valid_from <= $3 AND (v.valid_to IS NULL OR v.valid_to > $3)",
        project.as_uuid(),
        id.as_str(),
        version.to_utc()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(ItemRow::into_item).transpose()
}

/// Those items of some ids that are there, archived ones too, in no order.
///
/// # Errors
/// When Postgres is away.
pub async fn some_items(
    db: &Postgres,
    project: ProjectId,
    ids: &[DatasetItemId],
) -> Result<Vec<DatasetItem>, StoreError> {
    let ids: Vec<String> = ids.iter().map(DatasetItemId::to_string).collect();
    let found = select_dataset_item_versions!(
        "JOIN datasets d ON d.id = v.dataset_id
         WHERE v.project_id = $1 AND v.item_id = ANY ($2) AND v.valid_to IS NULL
             AND NOT v.is_deleted",
        project.as_uuid(),
        &ids
    )
    .fetch_all(db.pool())
    .await?;
    found.into_iter().map(ItemRow::into_item).collect()
}

/// Which of some ids are, or were, those of items.
///
/// # Errors
/// When Postgres is away.
pub async fn known_items(
    db: &Postgres,
    project: ProjectId,
    ids: &[DatasetItemId],
) -> Result<Vec<String>, StoreError> {
    let ids: Vec<String> = ids.iter().map(DatasetItemId::to_string).collect();
    let known = sqlx::query_scalar!(
        "SELECT item_id
         FROM dataset_item_versions
         WHERE project_id = $1 AND item_id = ANY ($2) AND valid_to IS NULL",
        project.as_uuid(),
        &ids
    )
    .fetch_all(db.pool())
    .await?;
    Ok(known)
}

/// The active items of a dataset that were last written then or later, with ids beyond one, in the order
/// of the ids, at most `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn items_after(
    tx: &mut Transaction,
    (project, dataset): (ProjectId, DatasetId),
    (since, after): (Timestamp, Option<&DatasetItemId>),
    limit: u32,
) -> Result<Vec<DatasetItem>, StoreError> {
    let found = select_dataset_item_versions!(
        "JOIN datasets d ON d.id = v.dataset_id
         WHERE v.project_id = $1 AND v.dataset_id = $2 AND v.valid_to IS NULL
             AND NOT v.is_deleted AND v.status = 'ACTIVE' AND v.item_id > $3
             AND v.valid_from >= $4
         ORDER BY v.item_id
         LIMIT $5",
        project.as_uuid(),
        dataset.as_uuid(),
        after.map_or("", DatasetItemId::as_str),
        since.to_utc(),
        i64::from(limit)
    )
    .fetch_all(tx.connection())
    .await?;
    found.into_iter().map(ItemRow::into_item).collect()
}

/// The ids of the newest active items of a dataset.
///
/// # Errors
/// When Postgres is away.
pub async fn item_ids(
    tx: &mut Transaction,
    (project, dataset): (ProjectId, DatasetId),
    limit: u32,
) -> Result<Vec<DatasetItemId>, StoreError> {
    let ids = sqlx::query_scalar!(
        "SELECT item_id
         FROM dataset_item_versions
         WHERE project_id = $1 AND dataset_id = $2 AND valid_to IS NULL AND NOT is_deleted
             AND status = 'ACTIVE'
         ORDER BY created_at DESC, item_id
         LIMIT $3",
        project.as_uuid(),
        dataset.as_uuid(),
        i64::from(limit)
    )
    .fetch_all(tx.connection())
    .await?;
    let ids = ids.iter().map(|id| DatasetItemId::parse(id));
    ids.collect::<Result<_, _>>()
        .map_err(|fault| StoreError::Row(fault.into()))
}

/// Active items, newest first, from the one at `offset`, at most `limit`, and how many there are in all.
///
/// # Errors
/// When Postgres is away.
pub async fn list_items(
    db: &Postgres,
    project: ProjectId,
    wanted: &WantedItems,
    (offset, limit): (u64, u32),
) -> Result<(Vec<DatasetItem>, u64), StoreError> {
    let mut tx = db.begin_reading().await?;
    let dataset = wanted.dataset.map(DatasetId::as_uuid);
    let trace = wanted.source_trace.as_ref().map(TraceId::as_str);
    let observation = wanted.source_observation.as_ref().map(SpanId::as_str);
    let version = wanted.version.map(Timestamp::to_utc);
    let active = ItemStatus::Active.as_str();
    let found = select_dataset_item_versions!(
        "JOIN datasets d ON d.id = v.dataset_id
         WHERE v.project_id = $1 AND NOT v.is_deleted AND v.status = $2
             AND ($3::UUID IS NULL OR v.dataset_id = $3)
             AND ($4::TEXT IS NULL OR v.source_trace_id = $4)
             AND ($5::TEXT IS NULL OR v.source_observation_id = $5)
             AND (
                 $6::TIMESTAMPTZ IS NULL AND v.valid_to IS NULL
                 OR v.valid_from <= $6 AND (v.valid_to IS NULL OR v.valid_to > $6)
             )
         ORDER BY v.created_at DESC, v.item_id
         LIMIT $7 OFFSET $8",
        project.as_uuid(),
        active,
        dataset,
        trace,
        observation,
        version,
        i64::from(limit),
        rows(offset)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!"
         FROM dataset_item_versions
         WHERE project_id = $1 AND NOT is_deleted AND status = $2
             AND ($3::UUID IS NULL OR dataset_id = $3)
             AND ($4::TEXT IS NULL OR source_trace_id = $4)
             AND ($5::TEXT IS NULL OR source_observation_id = $5)
             AND (
                 $6::TIMESTAMPTZ IS NULL AND valid_to IS NULL
                 OR valid_from <= $6 AND (valid_to IS NULL OR valid_to > $6)
             )"#,
        project.as_uuid(),
        active,
        dataset,
        trace,
        observation,
        version
    )
    .fetch_one(tx.connection())
    .await?;
    let items = found.into_iter().map(ItemRow::into_item);
    Ok((items.collect::<Result<_, _>>()?, total.unsigned_abs()))
}
