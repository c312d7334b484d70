//! States of the list of traces that people named.

use domain::saved_view::{SavedView, SavedViewDraft};
use domain::{PersonId, ProjectId, SavedViewId};

use crate::{Postgres, StoreError};

/// Views of a project that a person sees: their own and those that are shared, the oldest first.
///
/// # Errors
/// When Postgres is away.
pub async fn list(
    db: &Postgres,
    project: ProjectId,
    person: PersonId,
) -> Result<Vec<SavedView>, StoreError> {
    let rows = sqlx::query!(
        "SELECT
             id,
             person_id,
             name,
             query,
             is_shared,
             is_default,
             created_at
         FROM saved_views
         WHERE project_id = $1 AND (person_id = $2 OR is_shared)
         ORDER BY created_at, id",
        project.as_uuid(),
        person.as_uuid()
    )
    .fetch_all(db.pool())
    .await?;
    let views = rows.into_iter().map(|row| SavedView {
        id: row.id.into(),
        owner: row.person_id.into(),
        draft: SavedViewDraft {
            name: row.name,
            query: row.query,
            is_shared: row.is_shared,
            is_default: row.is_default,
        },
        created_at: row.created_at.into(),
    });
    Ok(views.collect())
}

/// Stores a view, in place of its owner's of the same name, unless the owner has `most` others; its id,
/// which is the old one where it takes a place, or `None`. Where it is a default, the owner's other one is
/// none any more.
///
/// # Errors
/// When Postgres is away.
pub async fn save(
    db: &Postgres,
    project: ProjectId,
    view: &SavedView,
    most: i64,
) -> Result<Option<SavedViewId>, StoreError> {
    let draft = &view.draft;
    let mut tx = db.begin().await?;
    if draft.is_default {
        sqlx::query!(
            "UPDATE saved_views SET is_default = FALSE WHERE project_id = $1 AND person_id = $2 AND is_default",
            project.as_uuid(),
            view.owner.as_uuid()
        )
        .execute(tx.connection())
        .await?;
    }
    let stored = sqlx::query!(
        "INSERT INTO saved_views (id, project_id, person_id, name, query, is_shared, is_default, created_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8
         WHERE (
             SELECT count(*) FROM saved_views WHERE project_id = $2 AND person_id = $3 AND name != $4
         ) < $9
         ON CONFLICT ON CONSTRAINT saved_views_person_id_name_key
         DO UPDATE SET query = $5, is_shared = $6, is_default = $7
         RETURNING id",
        view.id.as_uuid(),
        project.as_uuid(),
        view.owner.as_uuid(),
        draft.name,
        draft.query,
        draft.is_shared,
        draft.is_default,
        view.created_at.to_utc(),
        most
    )
    .fetch_optional(tx.connection())
    .await?;
    if stored.is_some() {
        tx.commit().await?;
    }
    Ok(stored.map(|row| row.id.into()))
}

/// Deletes a person's view; whether it was theirs.
///
/// # Errors
/// When Postgres is away.
pub async fn delete(
    db: &Postgres,
    project: ProjectId,
    (person, id): (PersonId, SavedViewId),
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM saved_views WHERE project_id = $1 AND person_id = $2 AND id = $3",
        project.as_uuid(),
        person.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Deletes a view that is shared, whoever's it is; whether the project had it.
///
/// # Errors
/// When Postgres is away.
pub async fn delete_shared(
    db: &Postgres,
    project: ProjectId,
    id: SavedViewId,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query!(
        "DELETE FROM saved_views WHERE project_id = $1 AND id = $2 AND is_shared",
        project.as_uuid(),
        id.as_uuid()
    )
    .execute(db.pool())
    .await?;
    Ok(deleted.rows_affected() == 1)
}
