//! Who works on a queue, and who might.

use domain::tenancy::Person;
use domain::{AnnotationQueueId, PersonId, ProjectId};

use crate::{Postgres, StoreError};

/// Somebody who may judge in a project.
#[derive(Clone, Debug)]
pub struct Rater {
    /// Who.
    pub person: Person,
    /// Whether they were asked to work on the queue.
    pub is_assigned: bool,
}

/// Everybody who is a member of the project and may judge, by e-mail, and who of them works on a queue of it.
///
/// # Errors
/// When Postgres is away.
pub async fn raters(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<Vec<Rater>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             pe.id,
             pe.email,
             pe.name,
             EXISTS (
                 SELECT 1 FROM annotation_assignments a
                 JOIN annotation_queues q ON q.id = a.queue_id
                 WHERE q.project_id = p.id AND q.id = $2 AND a.person_id = pe.id
             ) AS "is_assigned!"
         FROM projects p
         JOIN members m ON m.organisation_id = p.organisation_id
         JOIN people pe ON pe.id = m.person_id
         LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.person_id = m.person_id
         WHERE p.id = $1 AND coalesce(pm.role, m.role) IN ('owner', 'admin', 'member', 'annotator')
         ORDER BY pe.email"#,
        project.as_uuid(),
        queue.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let rater = |row: (uuid::Uuid, String, String, bool)| Rater {
        person: Person {
            id: row.0.into(),
            email: row.1,
            name: row.2,
        },
        is_assigned: row.3,
    };
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| rater((row.id, row.email, row.name, row.is_assigned)))
        .collect())
}

/// E-mail addresses of people who judged, skipped or decided in a queue of the project.
///
/// # Errors
/// When Postgres is away.
pub async fn emails(
    db: &Postgres,
    project: ProjectId,
    queue: AnnotationQueueId,
) -> Result<Vec<(PersonId, String)>, StoreError> {
    let rows = sqlx::query!(
        "SELECT pe.id, pe.email
         FROM people pe
         WHERE pe.id IN (
             SELECT l.person_id
             FROM annotation_labels l
             JOIN annotation_items i ON i.id = l.item_id
             JOIN annotation_queues q ON q.id = i.queue_id
             WHERE q.project_id = $1 AND q.id = $2
             UNION
             SELECT d.person_id
             FROM annotation_decisions d
             JOIN annotation_items i ON i.id = d.item_id
             JOIN annotation_queues q ON q.id = i.queue_id
             WHERE q.project_id = $1 AND q.id = $2
         )
         ORDER BY pe.email",
        project.as_uuid(),
        queue.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.id.into(), row.email))
        .collect())
}
