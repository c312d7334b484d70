//! New versions of items.

use domain::dataset::{DatasetItem, DatasetItemId};
use domain::{DatasetId, ProjectId, Timestamp};

use crate::{StoreError, Transaction};

/// Waits until no other transaction writes the item of that id, whether there is one or not, and holds
/// the others up until the end of this one.
///
/// # Errors
/// When Postgres is away, or the others take too long.
pub async fn lock_item(
    tx: &mut Transaction,
    project: ProjectId,
    id: &DatasetItemId,
) -> Result<(), StoreError> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        format!("item {id} of datasets of {project}")
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Writes the next version of an item; the one before ends where it begins.
///
/// # Errors
/// When Postgres is away.
pub async fn create_version(
    tx: &mut Transaction,
    project: ProjectId,
    item: &DatasetItem,
) -> Result<(), StoreError> {
    close(tx, project, &item.id, item.updated_at).await?;
    sqlx::query!(
        "INSERT INTO dataset_item_versions
             (project_id, item_id, valid_from, dataset_id, is_deleted, status, input,
              expected_output, metadata, source_trace_id, source_observation_id, created_at,
              challenge, changed_by, reason)
         VALUES
             ($1, $2, $3, $4, FALSE, $5, $6::TEXT::JSON, $7::TEXT::JSON, $8::TEXT::JSON, $9, $10, $11,
              $12, $13, $14)",
        project.as_uuid(),
        item.id.as_str(),
        item.updated_at.to_utc(),
        item.dataset_id.as_uuid(),
        item.status.as_str(),
        item.input.to_string(),
        item.expected_output.to_string(),
        item.metadata.to_string(),
        item.source_trace_id.as_ref().map(domain::TraceId::as_str),
        item.source_observation_id.as_ref().map(domain::SpanId::as_str),
        item.created_at.to_utc(),
        item.challenge.map(domain::dataset::Challenge::as_str),
        item.changed_by,
        item.reason
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Writes the first versions of new items, whose ids nobody else knows yet, all at once.
///
/// # Errors
/// When Postgres is away.
pub async fn create_items(
    tx: &mut Transaction,
    (project, dataset): (ProjectId, DatasetId),
    items: &[DatasetItem],
) -> Result<(), StoreError> {
    let texts = |of: fn(&DatasetItem) -> String| items.iter().map(of).collect::<Vec<String>>();
    let times = |of: fn(&DatasetItem) -> Timestamp| {
        let times = items.iter().map(|item| of(item).to_utc());
        times.collect::<Vec<_>>()
    };
    sqlx::query!(
        "INSERT INTO dataset_item_versions
             (project_id, item_id, valid_from, dataset_id, is_deleted, status, input,
              expected_output, metadata, created_at, changed_by)
         SELECT $1, n.item_id, n.valid_from, $2, FALSE, n.status, n.input::JSON,
             n.expected_output::JSON, n.metadata::JSON, n.created_at, n.changed_by
         FROM unnest(
             $3::TEXT[], $4::TIMESTAMPTZ[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::TEXT[],
             $9::TIMESTAMPTZ[], $10::TEXT[]
         ) AS n (item_id, valid_from, status, input, expected_output, metadata, created_at, changed_by)",
        project.as_uuid(),
        dataset.as_uuid(),
        &texts(|item| item.id.to_string()),
        &times(|item| item.updated_at),
        &texts(|item| item.status.as_str().to_owned()),
        &texts(|item| item.input.to_string()),
        &texts(|item| item.expected_output.to_string()),
        &texts(|item| item.metadata.to_string()),
        &times(|item| item.created_at),
        &texts(|item| item.changed_by.clone().unwrap_or_default())
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Writes that an item is deleted from then on.
///
/// # Errors
/// When Postgres is away.
pub async fn delete_item(
    tx: &mut Transaction,
    project: ProjectId,
    item: &DatasetItem,
    (now, changed_by): (Timestamp, &str),
) -> Result<(), StoreError> {
    close(tx, project, &item.id, now).await?;
    sqlx::query!(
        "INSERT INTO dataset_item_versions
             (project_id, item_id, valid_from, dataset_id, is_deleted, status, input,
              expected_output, metadata, created_at, changed_by)
         VALUES ($1, $2, $3, $4, TRUE, $5, 'null', 'null', 'null', $6, $7)",
        project.as_uuid(),
        item.id.as_str(),
        now.to_utc(),
        item.dataset_id.as_uuid(),
        item.status.as_str(),
        item.created_at.to_utc(),
        changed_by
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

async fn close(
    tx: &mut Transaction,
    project: ProjectId,
    id: &DatasetItemId,
    now: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE dataset_item_versions SET valid_to = $3
         WHERE project_id = $1 AND item_id = $2 AND valid_to IS NULL",
        project.as_uuid(),
        id.as_str(),
        now.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
