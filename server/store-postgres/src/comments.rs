//! Remarks on things of a project.

use domain::comment::{Comment, CommentDraft, CommentedKind, Remark};
use domain::{CommentId, PersonId, ProjectId, SpanId, TraceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Postgres, StoreError, Transaction};

/// Which comments are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// On a thing of this kind.
    pub kind: Option<CommentedKind>,
    /// On this thing.
    pub object_id: Option<String>,
    /// By this person.
    pub author: Option<PersonId>,
}

pub(crate) struct Row {
    pub(crate) id: Uuid,
    pub(crate) object_kind: String,
    pub(crate) object_id: String,
    pub(crate) content: String,
    pub(crate) author_id: Option<Uuid>,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) updated_at: OffsetDateTime,
}

/// Comments, newest first, from the one at `offset`, at most `limit`, and how many there are in all.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    wanted: &Wanted,
    (offset, limit): (u64, u32),
) -> Result<(Vec<Comment>, u64), StoreError> {
    let kind = wanted.kind.map(CommentedKind::as_str);
    let (object_id, author) = (wanted.object_id.as_deref(), wanted.author);
    let mut tx = db.begin_reading().await?;
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, object_kind, object_id, content, author_id, created_at, updated_at
         FROM comments
         WHERE project_id = $1
             AND ($2::TEXT IS NULL OR object_kind = $2)
             AND ($3::TEXT IS NULL OR object_id = $3)
             AND ($4::UUID IS NULL OR author_id = $4)
         ORDER BY created_at DESC, id DESC
         LIMIT $5 OFFSET $6",
        project.as_uuid(),
        kind,
        object_id,
        author.map(PersonId::as_uuid),
        i64::from(limit),
        i64::try_from(offset).unwrap_or(i64::MAX)
    )
    .fetch_all(tx.connection())
    .await?;
    let total = sqlx::query_scalar!(
        r#"SELECT count(*) AS "total!"
         FROM comments
         WHERE project_id = $1
             AND ($2::TEXT IS NULL OR object_kind = $2)
             AND ($3::TEXT IS NULL OR object_id = $3)
             AND ($4::UUID IS NULL OR author_id = $4)"#,
        project.as_uuid(),
        kind,
        object_id,
        author.map(PersonId::as_uuid)
    )
    .fetch_one(tx.connection())
    .await?;
    let comments = rows.into_iter().map(Row::into_comment);
    Ok((comments.collect::<Result<_, _>>()?, total.unsigned_abs()))
}

/// One of them; `None` when the project has none of that id.
///
/// # Errors
/// When Postgres is away.
pub async fn show(
    db: &Postgres,
    project: ProjectId,
    id: CommentId,
) -> Result<Option<Comment>, StoreError> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, object_kind, object_id, content, author_id, created_at, updated_at
         FROM comments
         WHERE project_id = $1 AND id = $2",
        project.as_uuid(),
        id.as_uuid()
    )
    .fetch_optional(db.pool())
    .await?;
    row.map(Row::into_comment).transpose()
}

/// Stores one with whom it names, unless there are `most` of them on its thing already; whether it was stored.
///
/// # Errors
/// When Postgres is away.
pub async fn create(
    db: &Postgres,
    project: ProjectId,
    (comment, mentioned): (&Comment, &[PersonId]),
    most: i64,
) -> Result<bool, StoreError> {
    let draft = &comment.draft;
    let mentioned: Vec<Uuid> = mentioned.iter().map(|person| person.as_uuid()).collect();
    let stored = sqlx::query_scalar!(
        r#"WITH stored AS (
             INSERT INTO comments
                 (id, project_id, object_kind, object_id, content, author_id, created_at, updated_at)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8
             WHERE (
                 SELECT count(*) FROM comments
                 WHERE project_id = $2 AND object_kind = $3 AND object_id = $4
             ) < $9
             RETURNING id
         ), named AS (
             INSERT INTO mentions (person_id, comment_id, project_id)
             SELECT person, stored.id, $2
             FROM stored, unnest($10::UUID[]) AS person
         )
         SELECT count(*) AS "count!" FROM stored"#,
        comment.id.as_uuid(),
        project.as_uuid(),
        draft.kind.as_str(),
        draft.object_id,
        draft.content,
        draft.author.map(PersonId::as_uuid),
        comment.created_at.to_utc(),
        comment.updated_at.to_utc(),
        most,
        &mentioned
    )
    .fetch_one(db.pool())
    .await?;
    Ok(stored == 1)
}

/// Comments on a trace as a whole and on one of its spans with who wrote them, newest first, at most `limit`.
///
/// # Errors
/// When Postgres is away.
pub async fn thread(
    db: &Postgres,
    project: ProjectId,
    (trace_id, span_id): (&TraceId, &SpanId),
    limit: u32,
) -> Result<Vec<Remark>, StoreError> {
    let rows = sqlx::query!(
        r#"SELECT
             c.id, c.object_kind, c.object_id, c.content, c.author_id, c.created_at, c.updated_at,
             pe.name AS "author_name?", pe.email AS "author_email?"
         FROM comments c LEFT JOIN people pe ON pe.id = c.author_id
         WHERE c.project_id = $1
             AND (
                 c.object_kind = 'TRACE' AND c.object_id = $2
                 OR c.object_kind = 'OBSERVATION' AND c.object_id = $3
             )
         ORDER BY c.created_at DESC, c.id DESC
         LIMIT $4"#,
        project.as_uuid(),
        trace_id.as_str(),
        span_id.as_str(),
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
            Ok(Remark {
                comment: comment.into_comment()?,
                author_name: row.author_name,
                author_email: row.author_email,
            })
        })
        .collect()
}

/// Deletes one that a person wrote; whether there was such a one.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    id: CommentId,
    author: PersonId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM comments WHERE project_id = $1 AND id = $2 AND author_id = $3",
        project.as_uuid(),
        id.as_uuid(),
        author.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Deletes those on some things of a kind.
///
/// # Errors
/// When Postgres is away.
pub async fn forget(
    tx: &mut Transaction,
    project: ProjectId,
    kind: CommentedKind,
    ids: &[String],
) -> Result<(), StoreError> {
    sqlx::query!(
        "DELETE FROM comments
         WHERE project_id = $1 AND object_kind = $2 AND object_id = ANY ($3)",
        project.as_uuid(),
        kind.as_str(),
        ids
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

impl Row {
    pub(crate) fn into_comment(self) -> Result<Comment, StoreError> {
        let kind = CommentedKind::from_name(&self.object_kind);
        let kind = kind.ok_or_else(|| StoreError::Row("a kind that there is not".into()))?;
        Ok(Comment {
            id: self.id.into(),
            draft: CommentDraft {
                kind,
                object_id: self.object_id,
                content: self.content,
                author: self.author_id.map(Into::into),
            },
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        })
    }
}
