//! Datasets and their items as lists show them: counted, and with the beginnings of what is long.

use domain::dataset::{Challenge, DatasetItemId, DatasetKind, DatasetName, ItemStatus, Shelf};
use domain::page::Cursor;
use domain::{DatasetId, ProjectId, Timestamp, TraceId};
use uuid::Uuid;

use super::row::{dataset_name, item_id, kind, trace_id};
use super::rows;
use crate::{Postgres, StoreError};

/// A dataset with what belongs to it, counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// Its id.
    pub id: DatasetId,
    /// Its name.
    pub name: DatasetName,
    /// What kind of dataset it is.
    pub kind: DatasetKind,
    /// What it is for.
    pub description: Option<String>,
    /// Items that are active.
    pub items: u64,
    /// Runs that were linked; those that only spans tell of are not counted.
    pub runs: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed; its items do not count.
    pub updated_at: Timestamp,
}

/// An item without what is long.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemHead {
    /// Its id.
    pub id: DatasetItemId,
    /// Whether it counts.
    pub status: ItemStatus,
    /// Beginning of the input, as JSON.
    pub input: String,
    /// Beginning of the expected output, as JSON.
    pub expected_output: String,
    /// The trace that it was taken from.
    pub source_trace_id: Option<TraceId>,
    /// What the input is meant to break.
    pub challenge: Option<Challenge>,
    /// How often it was written.
    pub versions: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// Characters of what is long.
const HEAD_CHARS: i32 = 300;

/// Datasets of a project after a place, newest first, at most `limit`, of a shelf, and of a kind where one is given.
///
/// # Errors
/// When Postgres is away.
pub async fn overviews(
    db: &Postgres,
    (project, shelf, of_kind): (ProjectId, Shelf, Option<DatasetKind>),
    (after, limit): (Option<&Cursor>, u32),
) -> Result<Vec<Overview>, StoreError> {
    let found = sqlx::query!(
        r#"SELECT
             d.id,
             d.name,
             d.kind,
             d.description,
             d.created_at,
             d.updated_at,
             (
                 SELECT count(*) FROM dataset_item_versions v
                 WHERE v.dataset_id = d.id AND v.valid_to IS NULL AND NOT v.is_deleted
                     AND v.status = 'ACTIVE'
             ) AS "items!",
             (
                 SELECT count(*) FROM dataset_runs r WHERE r.dataset_id = d.id AND NOT r.is_deleted
             ) AS "runs!"
         FROM datasets d
         WHERE d.project_id = $1 AND (d.archived_at IS NOT NULL) = $5
             AND ($6::TEXT IS NULL OR d.kind = $6)
             AND ($2::TIMESTAMPTZ IS NULL OR (d.created_at, d.id) < ($2, $3::UUID))
         ORDER BY d.created_at DESC, d.id DESC
         LIMIT $4"#,
        project.as_uuid(),
        after.map(|place| place.start.to_utc()),
        after.and_then(|place| place.id.parse::<Uuid>().ok()),
        rows(u64::from(limit)),
        shelf == Shelf::Archived,
        of_kind.map(DatasetKind::as_str)
    )
    .fetch_all(db.pool())
    .await?;
    let overviews = found.into_iter().map(|row| {
        Ok(Overview {
            id: row.id.into(),
            name: dataset_name(&row.name)?,
            kind: kind(&row.kind),
            description: row.description,
            items: row.items.unsigned_abs(),
            runs: row.runs.unsigned_abs(),
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        })
    });
    overviews.collect()
}

/// Items of a dataset after a place, archived ones too, newest first, at most `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn item_heads(
    db: &Postgres,
    (project, dataset): (ProjectId, DatasetId),
    (after, limit): (Option<&Cursor>, u32),
) -> Result<Vec<ItemHead>, StoreError> {
    let found = sqlx::query!(
        r#"SELECT
             v.item_id,
             v.status,
             left(v.input::TEXT, $6) AS "input!",
             left(v.expected_output::TEXT, $6) AS "expected_output!",
             v.source_trace_id,
             v.challenge,
             v.created_at,
             v.valid_from,
             (
                 SELECT count(*) FROM dataset_item_versions h
                 WHERE h.project_id = v.project_id AND h.item_id = v.item_id
                     AND h.dataset_id = v.dataset_id
             ) AS "versions!"
         FROM dataset_item_versions v
         WHERE v.project_id = $1 AND v.dataset_id = $2 AND v.valid_to IS NULL AND NOT v.is_deleted
             AND ($3::TIMESTAMPTZ IS NULL OR (v.created_at, v.item_id) < ($3, $4::TEXT))
         ORDER BY v.created_at DESC, v.item_id DESC
         LIMIT $5"#,
        project.as_uuid(),
        dataset.as_uuid(),
        after.map(|place| place.start.to_utc()),
        after.map(|place| place.id.as_str()),
        rows(u64::from(limit)),
        HEAD_CHARS
    )
    .fetch_all(db.pool())
    .await?;
    let heads = found.into_iter().map(|row| {
        Ok(ItemHead {
            id: item_id(&row.item_id)?,
            status: ItemStatus::from_name(&row.status).unwrap_or_default(),
            input: row.input,
            expected_output: row.expected_output,
            source_trace_id: row.source_trace_id.as_deref().map(trace_id).transpose()?,
            challenge: row.challenge.as_deref().and_then(Challenge::from_name),
            versions: row.versions.unsigned_abs(),
            created_at: row.created_at.into(),
            updated_at: row.valid_from.into(),
        })
    });
    heads.collect()
}

/// Active items of a dataset, and how many of them have no expected output.
///
/// # Errors
/// When Postgres is away.
pub async fn count_items(
    db: &Postgres,
    (project, dataset): (ProjectId, DatasetId),
) -> Result<(u64, u64), StoreError> {
    let row = sqlx::query!(
        r#"SELECT
             count(*) AS "items!",
             count(*) FILTER (WHERE expected_output::TEXT = 'null') AS "without!"
         FROM dataset_item_versions
         WHERE project_id = $1 AND dataset_id = $2 AND valid_to IS NULL AND NOT is_deleted
             AND status = 'ACTIVE'"#,
        project.as_uuid(),
        dataset.as_uuid()
    )
    .fetch_one(db.pool())
    .await?;
    Ok((row.items.unsigned_abs(), row.without.unsigned_abs()))
}

/// The ids of items of a dataset beyond the `most` newest, archived ones too, the oldest first, at most `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn items_beyond(
    db: &Postgres,
    (project, dataset): (ProjectId, DatasetId),
    most: u64,
    limit: u32,
) -> Result<Vec<DatasetItemId>, StoreError> {
    let ids = sqlx::query_scalar!(
        r#"SELECT beyond.item_id AS "item_id!"
         FROM (
             SELECT item_id, created_at
             FROM dataset_item_versions
             WHERE project_id = $1 AND dataset_id = $2 AND valid_to IS NULL AND NOT is_deleted
             ORDER BY created_at DESC, item_id
             OFFSET $3
         ) AS beyond
         ORDER BY beyond.created_at, beyond.item_id DESC
         LIMIT $4"#,
        project.as_uuid(),
        dataset.as_uuid(),
        rows(most),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    ids.iter().map(|id| item_id(id)).collect()
}
