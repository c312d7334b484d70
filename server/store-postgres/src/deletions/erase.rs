//! What of a user is here: how much, and its end. Whatever hangs on traces goes before they do, so that a deletion that
//! broke off still finds what it hangs on.

use domain::ProjectId;
use domain::media::Checksum;

use crate::{Postgres, StoreError, Transaction, media};

/// What is forgotten, some of it at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Erased<'a> {
    /// Traces that go as a whole.
    pub traces: &'a [String],
    /// Spans.
    pub spans: &'a [String],
    /// Sessions of nobody else.
    pub sessions: &'a [String],
}

/// How much hangs on it, by store.
///
/// # Errors
/// When Postgres is away; so for all here.
pub async fn counts(
    db: &Postgres,
    project: ProjectId,
    erased: &Erased<'_>,
) -> Result<Vec<(&'static str, u64)>, StoreError> {
    let row = sqlx::query!(
        r#"SELECT
             (SELECT count(*) FROM comments
              WHERE project_id = $1 AND (
                  object_kind = 'TRACE' AND object_id = ANY ($2)
                  OR object_kind = 'OBSERVATION' AND object_id = ANY ($3)
                  OR object_kind = 'SESSION' AND object_id = ANY ($4)
              )) AS "comments!",
             (SELECT count(*) FROM annotation_items i JOIN annotation_queues q ON q.id = i.queue_id
              WHERE q.project_id = $1 AND (
                  i.object_kind = 'TRACE' AND (i.object_id = ANY ($2) OR i.second_id = ANY ($2))
                  OR i.object_kind = 'OBSERVATION' AND (i.object_id = ANY ($3) OR i.second_id = ANY ($3))
                  OR i.object_kind = 'SESSION' AND (i.object_id = ANY ($4) OR i.second_id = ANY ($4))
              )) AS "annotation_items!",
             (SELECT count(DISTINCT media_id) FROM media_links
              WHERE project_id = $1 AND (trace_id = ANY ($2) OR observation_id = ANY ($3))) AS "media!",
             (SELECT count(*) FROM dataset_run_items
              WHERE project_id = $1 AND trace_id = ANY ($2)) AS "links!",
             (SELECT count(*) FROM evaluations
              WHERE evaluator_id IN (SELECT id FROM evaluators WHERE project_id = $1)
                  AND (trace_id = ANY ($2) OR span_id = ANY ($3))) AS "evaluations!""#,
        project.as_uuid(),
        erased.traces,
        erased.spans,
        erased.sessions
    )
    .fetch_one(db.pool())
    .await?;
    let counts = [
        ("comments", row.comments),
        ("annotation_items", row.annotation_items),
        ("media", row.media),
        ("dataset_run_links", row.links),
        ("evaluations", row.evaluations),
    ];
    Ok(counts
        .map(|(store, count)| (store, count.unsigned_abs()))
        .to_vec())
}

/// How many business events name a user, or one of some traces or sessions.
///
/// # Errors
/// As [`counts`].
pub async fn count_business_events(
    db: &Postgres,
    project: ProjectId,
    user: &str,
    (traces, sessions): (&[String], &[String]),
) -> Result<u64, StoreError> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM business_events
         WHERE project_id = $1
             AND (user_id = $2 OR trace_id = ANY ($3) OR session_id = ANY ($4))"#,
        project.as_uuid(),
        user,
        traces,
        sessions
    )
    .fetch_one(db.pool())
    .await?;
    Ok(count.unsigned_abs())
}

/// Items of datasets that were made of some traces or spans, in any version.
///
/// # Errors
/// As [`counts`].
pub async fn items_of(
    db: &Postgres,
    project: ProjectId,
    traces: &[String],
    spans: &[String],
) -> Result<Vec<String>, StoreError> {
    let items = sqlx::query_scalar!(
        "SELECT DISTINCT item_id FROM dataset_item_versions
         WHERE project_id = $1
             AND (source_trace_id = ANY ($2) OR source_observation_id = ANY ($3))",
        project.as_uuid(),
        traces,
        spans
    )
    .fetch_all(db.pool())
    .await?;
    Ok(items)
}

/// Traces that runs made of some items.
///
/// # Errors
/// As [`counts`].
pub async fn runs_of(
    db: &Postgres,
    project: ProjectId,
    items: &[String],
) -> Result<Vec<String>, StoreError> {
    let traces = sqlx::query_scalar!(
        "SELECT DISTINCT trace_id FROM dataset_run_items WHERE project_id = $1 AND item_id = ANY ($2)",
        project.as_uuid(),
        items
    )
    .fetch_all(db.pool())
    .await?;
    Ok(traces)
}

/// Deletes what hangs on it, judgements of people as well; attachments that nothing else names, whose checksums it
/// gives.
///
/// # Errors
/// As [`counts`].
pub async fn erase(
    tx: &mut Transaction,
    project: ProjectId,
    erased: &Erased<'_>,
) -> Result<Vec<Checksum>, StoreError> {
    let &Erased {
        traces,
        spans,
        sessions,
    } = erased;
    sqlx::query!(
        "DELETE FROM comments
         WHERE project_id = $1 AND (
             object_kind = 'TRACE' AND object_id = ANY ($2)
             OR object_kind = 'OBSERVATION' AND object_id = ANY ($3)
             OR object_kind = 'SESSION' AND object_id = ANY ($4)
         )",
        project.as_uuid(),
        traces,
        spans,
        sessions
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM annotation_items i USING annotation_queues q
         WHERE q.id = i.queue_id AND q.project_id = $1 AND (
             i.object_kind = 'TRACE' AND (i.object_id = ANY ($2) OR i.second_id = ANY ($2))
             OR i.object_kind = 'OBSERVATION' AND (i.object_id = ANY ($3) OR i.second_id = ANY ($3))
             OR i.object_kind = 'SESSION' AND (i.object_id = ANY ($4) OR i.second_id = ANY ($4))
         )",
        project.as_uuid(),
        traces,
        spans,
        sessions
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM business_events
         WHERE project_id = $1 AND (trace_id = ANY ($2) OR session_id = ANY ($3))",
        project.as_uuid(),
        traces,
        sessions
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM dataset_run_items WHERE project_id = $1 AND trace_id = ANY ($2)",
        project.as_uuid(),
        traces
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM evaluations
         WHERE evaluator_id IN (SELECT id FROM evaluators WHERE project_id = $1)
             AND (trace_id = ANY ($2) OR span_id = ANY ($3))",
        project.as_uuid(),
        traces,
        spans
    )
    .execute(tx.connection())
    .await?;
    media::forget_telemetry(tx, project, traces, spans).await
}

/// Deletes attachments that nothing but some traces names, whose checksums it gives.
///
/// # Errors
/// As [`counts`].
pub async fn erase_media(
    tx: &mut Transaction,
    project: ProjectId,
    traces: &[String],
) -> Result<Vec<Checksum>, StoreError> {
    media::forget_telemetry(tx, project, traces, &[]).await
}

/// Deletes items of datasets with all their versions, and what runs made of them; attachments that nothing else names,
/// whose checksums it gives.
///
/// # Errors
/// As [`counts`].
pub async fn erase_items(
    tx: &mut Transaction,
    project: ProjectId,
    items: &[String],
) -> Result<Vec<Checksum>, StoreError> {
    sqlx::query!(
        "DELETE FROM dataset_run_items WHERE project_id = $1 AND item_id = ANY ($2)",
        project.as_uuid(),
        items
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "DELETE FROM dataset_item_versions WHERE project_id = $1 AND item_id = ANY ($2)",
        project.as_uuid(),
        items
    )
    .execute(tx.connection())
    .await?;
    media::forget_items(tx, project, items).await
}

/// Deletes what names a user itself.
///
/// # Errors
/// As [`counts`].
pub async fn forget_user(
    tx: &mut Transaction,
    project: ProjectId,
    user: &str,
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM business_events WHERE project_id = $1 AND user_id = $2",
        project.as_uuid(),
        user
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
