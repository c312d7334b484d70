//! States of the list of traces that people named: list, save, delete.

use domain::saved_view::{SavedView, SavedViewDraft};
use domain::tenancy::Permission;
use domain::{Code, Fault, PersonId, SavedViewId};
use store_postgres::saved_views;
use uuid::Uuid;

use crate::app::App;
use crate::names;
use crate::scope::{Actor, ProjectScope};

/// Views of one person in one project.
const MOST: i64 = 100;
/// Longest state, bytes: a longer address is none that every browser and proxy takes.
const MAX_QUERY: usize = 4000;

/// Views of the project that the person sees, the oldest first: their own, and those that are shared.
///
/// # Errors
/// `forbidden` where no person asks, `unavailable` without Postgres; so for all here.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<SavedView>, Fault> {
    let person = person(scope)?;
    Ok(saved_views::list(app.postgres(), scope.project_id(), person).await?)
}

/// Saves a view, in place of the person's own of the same name. To share it needs `ShareViews`.
///
/// # Errors
/// `forbidden`, `invalid` on a field, or `conflict` when there are too many.
pub async fn save(
    app: &App,
    scope: &ProjectScope,
    draft: SavedViewDraft,
) -> Result<SavedView, Fault> {
    let owner = person(scope)?;
    if draft.is_shared {
        scope.require(Permission::ShareViews)?;
    }
    let name = names::name("name", &draft.name)?;
    if draft.query.len() > MAX_QUERY {
        let message = format!("a view has at most {MAX_QUERY} bytes of filters");
        return Err(Fault::invalid(message).on_field("query"));
    }
    if draft.query.contains('\0') {
        return Err(Fault::invalid("a view cannot hold a NUL character").on_field("query"));
    }
    let mut view = SavedView {
        id: SavedViewId(Uuid::now_v7()),
        owner,
        draft: SavedViewDraft { name, ..draft },
        created_at: app.clock().now(),
    };
    let saved = saved_views::save(app.postgres(), scope.project_id(), &view, MOST).await?;
    view.id = saved.ok_or_else(|| {
        let message = format!("a person has at most {MOST} views in a project");
        Fault::new(Code::Conflict, message)
    })?;
    Ok(view)
}

/// Deletes a view of one's own, or a shared one with `ManageProject`.
///
/// # Errors
/// `not_found`.
pub async fn delete(app: &App, scope: &ProjectScope, id: SavedViewId) -> Result<(), Fault> {
    let (project, person) = (scope.project_id(), person(scope)?);
    let mut deleted = saved_views::delete(app.postgres(), project, (person, id)).await?;
    if !deleted && scope.role().may(Permission::ManageProject) {
        deleted = saved_views::delete_shared(app.postgres(), project, id).await?;
    }
    match deleted {
        true => Ok(()),
        false => Err(Fault::not_found("there is no such view of yours")),
    }
}

fn person(scope: &ProjectScope) -> Result<PersonId, Fault> {
    match scope.actor() {
        Actor::Person(person) => Ok(person),
        _ => Err(Fault::new(Code::Forbidden, "views belong to people")),
    }
}
