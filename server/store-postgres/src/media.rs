//! Attachments of a project, without their bytes, and what names them.

use domain::dataset::{Attached, DatasetItemId};
use domain::media::{Checksum, Media, MediaDraft, MediaId, MediaOwner, MediaType};
use domain::{DatasetId, ProjectId, Timestamp, TraceId};
use time::OffsetDateTime;

use crate::{Postgres, StoreError, Transaction};

/// How the upload of an attachment went, as its client reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// HTTP status that the client got.
    pub status: i32,
    /// What it says of a failure.
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    pub millis: Option<i32>,
}

struct Row {
    checksum: Vec<u8>,
    media_type: String,
    bytes: i64,
    stored_at: Option<OffsetDateTime>,
}

/// Notes what a client wants to send, and what names it; no deletion gets in between until the
/// transaction ends. What is there already under its id, and the checksum of that, stored or not.
///
/// # Errors
/// When Postgres is away.
pub async fn announce(
    tx: &mut Transaction,
    project: ProjectId,
    draft: &MediaDraft,
    at: Timestamp,
) -> Result<(Checksum, Option<Media>), StoreError> {
    let id = draft.id();
    let row = sqlx::query_as!(
        Row,
        "INSERT INTO media (project_id, media_id, checksum, media_type, bytes, announced_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT ON CONSTRAINT media_pkey DO UPDATE SET announced_at = excluded.announced_at
         RETURNING checksum, media_type, bytes, stored_at",
        project.as_uuid(),
        id.as_str(),
        draft.checksum.as_bytes().as_slice(),
        draft.media_type.as_str(),
        i64::try_from(draft.bytes).unwrap_or(i64::MAX),
        at.to_utc()
    )
    .fetch_one(tx.connection())
    .await?;
    let (trace_id, observation_id, dataset_id, item_id) = match &draft.owner {
        MediaOwner::Trace {
            trace_id,
            observation_id,
        } => {
            let observation_id = observation_id.as_ref().map(domain::SpanId::as_str);
            (Some(trace_id.as_str()), observation_id, None, None)
        }
        MediaOwner::DatasetItem {
            dataset_id,
            item_id,
        } => (
            None,
            None,
            Some(dataset_id.to_string()),
            Some(item_id.as_str()),
        ),
    };
    sqlx::query!(
        "INSERT INTO media_links
             (project_id, media_id, trace_id, observation_id, dataset_id, dataset_item_id, field,
              created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT media_links_key DO NOTHING",
        project.as_uuid(),
        id.as_str(),
        trace_id,
        observation_id,
        dataset_id,
        item_id,
        draft.field.as_str(),
        at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    let checksum = checksum(&row.checksum)?;
    Ok((checksum, row.into_media()?))
}

/// Bytes of all attachments of a project together.
///
/// # Errors
/// When Postgres is away.
pub async fn total(db: &Postgres, project: ProjectId) -> Result<u64, StoreError> {
    let total = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(bytes), 0)::BIGINT AS "total!"
         FROM media
         WHERE project_id = $1 AND stored_at IS NOT NULL"#,
        project.as_uuid()
    )
    .fetch_one(db.pool())
    .await?;
    Ok(total.unsigned_abs())
}

/// Those of some ids whose bytes the project has, in no order.
///
/// # Errors
/// When Postgres is away.
pub async fn some(
    db: &Postgres,
    project: ProjectId,
    ids: &[&MediaId],
) -> Result<Vec<Media>, StoreError> {
    let ids: Vec<String> = ids.iter().map(|id| id.as_str().to_owned()).collect();
    let rows = sqlx::query_as!(
        Row,
        "SELECT checksum, media_type, bytes, stored_at
         FROM media
         WHERE project_id = $1 AND media_id = ANY ($2) AND stored_at IS NOT NULL",
        project.as_uuid(),
        &ids
    )
    .fetch_all(db.pool())
    .await?;
    let media = rows.into_iter().map(Row::into_media);
    Ok(media
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// Those of some attachments that a trace names and whose bytes the project has, in no order.
///
/// # Errors
/// When Postgres is away.
pub async fn named_by(
    db: &Postgres,
    project: ProjectId,
    trace_id: &TraceId,
    ids: &[&MediaId],
) -> Result<Vec<Media>, StoreError> {
    let ids: Vec<String> = ids.iter().map(|id| id.as_str().to_owned()).collect();
    let rows = sqlx::query_as!(
        Row,
        "SELECT checksum, media_type, bytes, stored_at
         FROM media
         WHERE project_id = $1 AND media_id = ANY ($2) AND stored_at IS NOT NULL AND media_id IN (
             SELECT media_id FROM media_links WHERE project_id = $1 AND trace_id = $3
         )",
        project.as_uuid(),
        &ids,
        trace_id.as_str()
    )
    .fetch_all(db.pool())
    .await?;
    let media = rows.into_iter().map(Row::into_media);
    let media = media.collect::<Result<Vec<_>, _>>()?;
    Ok(media.into_iter().flatten().collect())
}

/// Whether an attachment was announced and not deleted since; it stays so until the transaction ends.
///
/// # Errors
/// When Postgres is away.
pub async fn lock(
    tx: &mut Transaction,
    project: ProjectId,
    id: &MediaId,
) -> Result<bool, StoreError> {
    let found = sqlx::query_scalar!(
        "SELECT media_id FROM media WHERE project_id = $1 AND media_id = $2 FOR UPDATE",
        project.as_uuid(),
        id.as_str()
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(found.is_some())
}

/// Notes that the bytes of an attachment are there.
///
/// # Errors
/// When Postgres is away.
pub async fn store(
    tx: &mut Transaction,
    project: ProjectId,
    media: &Media,
) -> Result<(), StoreError> {
    let id = MediaId::of(&media.checksum);
    sqlx::query!(
        "UPDATE media SET media_type = $3, bytes = $4, stored_at = $5
         WHERE project_id = $1 AND media_id = $2",
        project.as_uuid(),
        id.as_str(),
        media.media_type.as_str(),
        i64::try_from(media.bytes).unwrap_or(i64::MAX),
        media.stored_at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes how an upload went; whether there is such an attachment.
///
/// # Errors
/// When Postgres is away.
pub async fn report(
    db: &Postgres,
    project: ProjectId,
    id: &MediaId,
    report: &Report,
) -> Result<bool, StoreError> {
    let noted = sqlx::query!(
        "UPDATE media SET upload_status = $3, upload_error = $4, upload_ms = $5
         WHERE project_id = $1 AND media_id = $2",
        project.as_uuid(),
        id.as_str(),
        report.status,
        report.error,
        report.millis
    )
    .execute(db.pool())
    .await?;
    Ok(noted.rows_affected() == 1)
}

/// Notes that an item of a dataset names attachments; which of them the project does not have. No deletion
/// of the others gets in between until the transaction ends.
///
/// # Errors
/// When Postgres is away.
pub async fn name(
    tx: &mut Transaction,
    project: ProjectId,
    (dataset, item): (DatasetId, &DatasetItemId),
    named: &[Attached],
    at: Timestamp,
) -> Result<Vec<MediaId>, StoreError> {
    let ids: Vec<String> = named.iter().map(|named| named.id.to_string()).collect();
    let fields: Vec<String> = named
        .iter()
        .map(|named| named.field.as_str().to_owned())
        .collect();
    // Held in the order of deletions.
    let here = sqlx::query_scalar!(
        "SELECT media_id FROM media
         WHERE project_id = $1 AND media_id = ANY ($2) AND stored_at IS NOT NULL
         ORDER BY media_id
         FOR KEY SHARE",
        project.as_uuid(),
        &ids
    )
    .fetch_all(tx.connection())
    .await?;
    sqlx::query!(
        "INSERT INTO media_links
             (project_id, media_id, dataset_id, dataset_item_id, field, created_at)
         SELECT $1, named.media_id, $2, $3, named.field, $4
         FROM unnest($5::TEXT[], $6::TEXT[]) AS named (media_id, field)
         WHERE named.media_id = ANY ($7)
         ON CONFLICT ON CONSTRAINT media_links_key DO NOTHING",
        project.as_uuid(),
        dataset.to_string(),
        item.as_str(),
        at.to_utc(),
        &ids,
        &fields,
        &here
    )
    .execute(tx.connection())
    .await?;
    let missing = named.iter().map(|named| named.id.clone());
    Ok(missing
        .filter(|id| !here.iter().any(|here| here == id.as_str()))
        .collect())
}

/// As [`forget_trace`], of an item of a dataset.
///
/// # Errors
/// When Postgres is away.
pub async fn forget_item(
    tx: &mut Transaction,
    project: ProjectId,
    (dataset, item): (DatasetId, &DatasetItemId),
) -> Result<Vec<Checksum>, StoreError> {
    let dataset = dataset.to_string();
    let named = sqlx::query_scalar!(
        "SELECT media_id FROM media
         WHERE project_id = $1 AND media_id IN (
             SELECT media_id FROM media_links
             WHERE project_id = $1 AND dataset_id = $2 AND dataset_item_id = $3
         )
         ORDER BY media_id
         FOR UPDATE",
        project.as_uuid(),
        dataset,
        item.as_str()
    )
    .fetch_all(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM media_links
         WHERE project_id = $1 AND dataset_id = $2 AND dataset_item_id = $3",
        project.as_uuid(),
        dataset,
        item.as_str()
    )
    .execute(tx.connection())
    .await?;
    delete_unnamed(tx, project, &named).await
}

/// Forgets that a trace names attachments, and those that nothing names any more; the checksums of these.
///
/// # Errors
/// When Postgres is away.
pub async fn forget_trace(
    tx: &mut Transaction,
    project: ProjectId,
    trace_id: &TraceId,
) -> Result<Vec<Checksum>, StoreError> {
    // Held first, in order: who names one of them anew meanwhile is seen, or waits.
    let named = sqlx::query_scalar!(
        "SELECT media_id FROM media
         WHERE project_id = $1 AND media_id IN (
             SELECT media_id FROM media_links WHERE project_id = $1 AND trace_id = $2
         )
         ORDER BY media_id
         FOR UPDATE",
        project.as_uuid(),
        trace_id.as_str()
    )
    .fetch_all(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM media_links WHERE project_id = $1 AND trace_id = $2",
        project.as_uuid(),
        trace_id.as_str()
    )
    .execute(tx.connection())
    .await?;
    delete_unnamed(tx, project, &named).await
}

/// As [`forget_trace`], of traces as wholes and of spans.
///
/// # Errors
/// When Postgres is away.
pub(crate) async fn forget_telemetry(
    tx: &mut Transaction,
    project: ProjectId,
    traces: &[String],
    spans: &[String],
) -> Result<Vec<Checksum>, StoreError> {
    let named = sqlx::query_scalar!(
        "SELECT media_id FROM media
         WHERE project_id = $1 AND media_id IN (
             SELECT media_id FROM media_links
             WHERE project_id = $1 AND (trace_id = ANY ($2) OR observation_id = ANY ($3))
         )
         ORDER BY media_id
         FOR UPDATE",
        project.as_uuid(),
        traces,
        spans
    )
    .fetch_all(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM media_links
         WHERE project_id = $1 AND (trace_id = ANY ($2) OR observation_id = ANY ($3))",
        project.as_uuid(),
        traces,
        spans
    )
    .execute(tx.connection())
    .await?;
    delete_unnamed(tx, project, &named).await
}

/// As [`forget_item`], of some items of any dataset.
///
/// # Errors
/// When Postgres is away.
pub(crate) async fn forget_items(
    tx: &mut Transaction,
    project: ProjectId,
    items: &[String],
) -> Result<Vec<Checksum>, StoreError> {
    let named = sqlx::query_scalar!(
        "SELECT media_id FROM media
         WHERE project_id = $1 AND media_id IN (
             SELECT media_id FROM media_links WHERE project_id = $1 AND dataset_item_id = ANY ($2)
         )
         ORDER BY media_id
         FOR UPDATE",
        project.as_uuid(),
        items
    )
    .fetch_all(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM media_links WHERE project_id = $1 AND dataset_item_id = ANY ($2)",
        project.as_uuid(),
        items
    )
    .execute(tx.connection())
    .await?;
    delete_unnamed(tx, project, &named).await
}

/// Deletes those of some attachments, which are held, that nothing names.
async fn delete_unnamed(
    tx: &mut Transaction,
    project: ProjectId,
    held: &[String],
) -> Result<Vec<Checksum>, StoreError> {
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let unnamed = sqlx::query_scalar!(
        "DELETE FROM media m
         WHERE m.project_id = $1 AND m.media_id = ANY ($2) AND NOT EXISTS (
             SELECT 1 FROM media_links l
             WHERE l.project_id = m.project_id AND l.media_id = m.media_id
         )
         RETURNING m.checksum",
        project.as_uuid(),
        held
    )
    .fetch_all(tx.connection())
    .await?;
    unnamed.iter().map(|bytes| checksum(bytes)).collect()
}

fn checksum(bytes: &[u8]) -> Result<Checksum, StoreError> {
    let hash = bytes.try_into();
    let hash = hash.map_err(|_| StoreError::Row("a checksum of another length".into()))?;
    Ok(Checksum::new(hash))
}

impl Row {
    /// `None` while the bytes are not there.
    fn into_media(self) -> Result<Option<Media>, StoreError> {
        let Some(stored_at) = self.stored_at else {
            return Ok(None);
        };
        let media_type = MediaType::from_name(&self.media_type);
        let unknown = || StoreError::Row("a media type that there is not".into());
        Ok(Some(Media {
            checksum: checksum(&self.checksum)?,
            media_type: media_type.ok_or_else(unknown)?,
            bytes: self.bytes.unsigned_abs(),
            stored_at: stored_at.into(),
        }))
    }
}
