//! What holds where people disagreed.

use domain::annotation::Decision;
use domain::{AnnotationQueueId, ProjectId};

use super::json;
use crate::{Postgres, StoreError, Transaction};

/// Everything that was decided in a queue of the project.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<Vec<Decision>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             d.item_id,
             d.question,
             d.answer::TEXT AS "answer!",
             d.reason,
             d.person_id,
             d.decided_at
         FROM annotation_decisions d
         JOIN annotation_items i ON i.id = d.item_id
         JOIN annotation_queues q ON q.id = i.queue_id
         WHERE q.project_id = $1 AND q.id = $2
         ORDER BY d.item_id, d.question"#,
        project.as_uuid(),
        queue.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let unknown = |error: serde_json::Error| StoreError::Row(error.into());
    let decisions = rows.into_iter().map(|row| {
        Ok(Decision {
            item: row.item_id.into(),
            question: row
                .question
                .parse()
                .map_err(|_| StoreError::Row("a question that there is not".into()))?,
            answer: serde_json::from_str(&row.answer).map_err(unknown)?,
            reason: row.reason,
            person: row.person_id.into(),
            at: row.decided_at.into(),
        })
    });
    decisions.collect()
}

/// Writes one, over one that was there.
///
/// # Errors
/// When Postgres is away.
pub async fn put(tx: &mut Transaction, decision: &Decision) -> Result<(), StoreError> {
    sqlx::query!(
        "INSERT INTO annotation_decisions (item_id, question, answer, reason, person_id, decided_at)
         VALUES ($1, $2, $3::TEXT::JSONB, $4, $5, $6)
         ON CONFLICT ON CONSTRAINT annotation_decisions_pkey DO UPDATE
         SET answer = $3::TEXT::JSONB, reason = $4, person_id = $5, decided_at = $6",
        decision.item.as_uuid(),
        decision.question.to_string(),
        json(&decision.answer)?,
        decision.reason,
        decision.person.as_uuid(),
        decision.at.to_utc()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
