//! What an item was: each of its versions; and all items of a dataset as they were at a time.

use domain::dataset::{DatasetItem, DatasetItemId};
use domain::{DatasetId, ProjectId, Timestamp};

use super::row::{ItemRow, select_dataset_item_versions};
use crate::{Postgres, StoreError};

/// Versions of an item of a dataset, the last one first, at most `limit`; not those that say that it is deleted.
///
/// # Errors
/// When Postgres is away.
pub async fn item_versions(
    db: &Postgres,
    (project, dataset): (ProjectId, DatasetId),
    id: &DatasetItemId,
    limit: u32,
) -> Result<Vec<DatasetItem>, StoreError> {
    let found = select_dataset_item_versions!(
        "JOIN datasets d ON d.id = v.dataset_id
         WHERE v.project_id = $1 AND v.dataset_id = $2 AND v.item_id = $3 AND NOT v.is_deleted
         ORDER BY v.valid_from DESC
         LIMIT $4",
        project.as_uuid(),
        dataset.as_uuid(),
        id.as_str(),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    found.into_iter().map(ItemRow::into_item).collect()
}

/// Items of a dataset as they were at a time, archived ones too, in the order in which they were made, after one of them,
/// at most `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn items_then(
    db: &Postgres,
    (project, dataset): (ProjectId, DatasetId),
    (version, after): (Timestamp, Option<(Timestamp, &DatasetItemId)>),
    limit: u32,
) -> Result<Vec<DatasetItem>, StoreError> {
    let found = select_dataset_item_versions!(
        "JOIN datasets d ON d.id = v.dataset_id
         WHERE v.project_id = $1 AND v.dataset_id = $2 AND NOT v.is_deleted
             AND v.valid_from <= $3 AND (v.valid_to IS NULL OR v.valid_to > $3)
             AND ($4::TIMESTAMPTZ IS NULL OR (v.created_at, v.item_id) > ($4, $5::TEXT))
         ORDER BY v.created_at, v.item_id
         LIMIT $6",
        project.as_uuid(),
        dataset.as_uuid(),
        version.to_utc(),
        after.map(|(made, _)| made.to_utc()),
        after.map(|(_, id)| id.as_str()),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    found.into_iter().map(ItemRow::into_item).collect()
}
