//! Whom comments name.

use domain::comment::{Mention, Remark};
use domain::{CommentId, PersonId, ProjectId, Timestamp};

use crate::comments::Row;
use crate::{Postgres, StoreError};

/// How many a person has not followed yet, of a project; counted to `most`.
///
/// # Errors
/// When Postgres is away.
pub async fn unread(
    db: &Postgres,
    project: ProjectId,
    person: PersonId,
    most: u32,
) -> Result<u64, StoreError> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
             SELECT FROM mentions
             WHERE person_id = $1 AND project_id = $2 AND read_at IS NULL
             LIMIT $3
         ) AS counted"#,
        person.as_uuid(),
        project.as_uuid(),
        i64::from(most)
    )
    .fetch_one(db.pool())
    .await?;
    Ok(count.unsigned_abs())
}

/// Those of a person in a project, newest first, at most `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    person: PersonId,
    limit: u32,
) -> Result<Vec<Mention>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             c.id, c.object_kind, c.object_id, c.content, c.author_id, c.created_at, c.updated_at,
             pe.name AS "author_name?", pe.email AS "author_email?",
             m.read_at IS NOT NULL AS "is_read!"
         FROM mentions m
             JOIN comments c ON c.id = m.comment_id AND c.project_id = m.project_id
             LEFT JOIN people pe ON pe.id = c.author_id
         WHERE m.person_id = $1 AND m.project_id = $2
         ORDER BY m.comment_id DESC
         LIMIT $3"#,
        person.as_uuid(),
        project.as_uuid(),
        i64::from(limit)
    )
    .fetch_all(db.pool())
    .await?;
    rows.into_iter()
        .map(|row| {
            let comment = Row {
                id: row.id,
                object_kind: row.object_kind,
                object_id: row.object_id,
                content: row.content,
                author_id: row.author_id,
                created_at: row.created_at,
                updated_at: row.updated_at,
            };
            Ok(Mention {
                remark: Remark {
                    comment: comment.into_comment()?,
                    author_name: row.author_name,
                    author_email: row.author_email,
                },
                is_read: row.is_read,
            })
        })
        .collect()
}

/// Calls one of a person read, or all in the project.
///
/// # Errors
/// When Postgres is away.
pub async fn mark_read(
    db: &Postgres,
    (project, person): (ProjectId, PersonId),
    comment: Option<CommentId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query!(
        "UPDATE mentions SET read_at = $4
         WHERE person_id = $1 AND project_id = $2 AND read_at IS NULL
             AND ($3::UUID IS NULL OR comment_id = $3)",
        person.as_uuid(),
        project.as_uuid(),
        comment.map(CommentId::as_uuid),
        now.to_utc()
    )
    .execute(db.pool())
    .await?;
    Ok(())
}
