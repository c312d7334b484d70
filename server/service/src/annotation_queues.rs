//! Queues of the scope's project: what people are asked to judge, and who works on them.

use domain::annotation::{AnnotationItem, AnnotationQueue, ItemStatus, ObjectKind, QueueDraft};
use domain::tenancy::Permission;
use domain::{AnnotationItemId, AnnotationQueueId, Code, Fault, PersonId, ScoreConfigId};
use store_postgres::{annotation_items, annotation_queues, score_configs};
use uuid::Uuid;

use crate::app::App;
use crate::scope::ProjectScope;

/// Queues of one project.
const MOST: i64 = 1_000;
/// Items of one queue.
const MOST_ITEMS: i64 = 100_000;

/// Something to be put into a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemDraft {
    /// What kind of thing it is.
    pub kind: ObjectKind,
    /// The id of the thing, 1 to 800 bytes, without NUL characters.
    pub object_id: String,
    /// How far it is.
    pub status: ItemStatus,
}

/// Queues, newest first, and how many there are in all.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    slice: (u64, u32),
) -> Result<(Vec<AnnotationQueue>, u64), Fault> {
    Ok(annotation_queues::list(app.postgres(), scope.project_id(), slice).await?)
}

/// One of them.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<AnnotationQueue, Fault> {
    let found = annotation_queues::show(app.postgres(), scope.project_id(), id).await?;
    found.ok_or_else(missing)
}

/// Makes one; needs `ManageQueues`.
///
/// # Errors
/// `forbidden`; `invalid` on a field, when the name is taken, a configuration does not exist, or there are
/// too many; `conflict` when the name was taken at the same moment; or `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    mut draft: QueueDraft,
) -> Result<AnnotationQueue, Fault> {
    scope.require(Permission::ManageQueues)?;
    draft.check()?;
    let (postgres, project) = (app.postgres(), scope.project_id());
    require_configs(app, scope, &draft.score_configs).await?;
    if annotation_queues::has(postgres, project, &draft.name).await? {
        return Err(Fault::invalid("A queue with this name already exists"));
    }
    let now = app.clock().now();
    let queue = AnnotationQueue {
        id: AnnotationQueueId(Uuid::now_v7()),
        draft,
        created_at: now,
        updated_at: now,
    };
    let stored = annotation_queues::create(postgres, project, &queue, MOST).await;
    let stored = stored.map_err(|error| {
        error.on_constraint("annotation_queues_project_id_name_key", || {
            Fault::new(Code::Conflict, "A queue with this name was made just now")
        })
    })?;
    if stored {
        Ok(queue)
    } else {
        // Not a conflict: clients repeat those.
        let message = format!("a project has at most {MOST} annotation queues");
        Err(Fault::invalid(message))
    }
}

async fn require_configs(
    app: &App,
    scope: &ProjectScope,
    ids: &[ScoreConfigId],
) -> Result<(), Fault> {
    let found = score_configs::some(app.postgres(), scope.project_id(), ids).await?;
    let absent = ids
        .iter()
        .find(|id| !found.iter().any(|config| config.id == **id));
    match absent {
        None => Ok(()),
        Some(id) => {
            let message = format!("there is no score configuration {id} in this project");
            Err(Fault::invalid(message))
        }
    }
}

/// Items of a queue, of one status where one is given, newest first, and how many there are in all.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn items(
    app: &App,
    scope: &ProjectScope,
    (queue, status): (AnnotationQueueId, Option<ItemStatus>),
    slice: (u64, u32),
) -> Result<(Vec<AnnotationItem>, u64), Fault> {
    show(app, scope, queue).await?;
    let wanted = (queue, status);
    Ok(annotation_items::list(app.postgres(), scope.project_id(), wanted, slice).await?)
}

/// One item.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn item(
    app: &App,
    scope: &ProjectScope,
    queue: AnnotationQueueId,
    id: AnnotationItemId,
) -> Result<AnnotationItem, Fault> {
    let found = annotation_items::show(app.postgres(), scope.project_id(), queue, id).await?;
    found.ok_or_else(missing_item)
}

/// Puts something into a queue; needs `ManageQueues`.
///
/// # Errors
/// `forbidden`, `not_found`, `invalid` when the queue is full, or `unavailable` without Postgres.
pub async fn add_item(
    app: &App,
    scope: &ProjectScope,
    queue: AnnotationQueueId,
    draft: ItemDraft,
) -> Result<AnnotationItem, Fault> {
    scope.require(Permission::ManageQueues)?;
    show(app, scope, queue).await?;
    let now = app.clock().now();
    let mut item = AnnotationItem {
        id: AnnotationItemId(Uuid::now_v7()),
        queue_id: queue,
        kind: draft.kind,
        object_id: draft.object_id,
        status: ItemStatus::Pending,
        completed_at: None,
        created_at: now,
        updated_at: now,
    };
    item.set_status(draft.status, now);
    let (postgres, project) = (app.postgres(), scope.project_id());
    if annotation_items::create(postgres, project, &item, MOST_ITEMS).await? {
        Ok(item)
    } else {
        let message = format!("a queue has at most {MOST_ITEMS} items");
        Err(Fault::invalid(message))
    }
}

/// Sets how far an item is, where that is given; needs `Annotate`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn update_item(
    app: &App,
    scope: &ProjectScope,
    (queue, id): (AnnotationQueueId, AnnotationItemId),
    status: Option<ItemStatus>,
) -> Result<AnnotationItem, Fault> {
    scope.require(Permission::Annotate)?;
    let mut tx = app.postgres().begin().await?;
    let item = annotation_items::lock(&mut tx, scope.project_id(), queue, id).await?;
    let mut item = item.ok_or_else(missing_item)?;
    if let Some(status) = status {
        item.set_status(status, app.clock().now());
        annotation_items::update(&mut tx, &item).await?;
    }
    tx.commit().await?;
    Ok(item)
}

/// Takes an item out of its queue; needs `ManageQueues`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete_item(
    app: &App,
    scope: &ProjectScope,
    queue: AnnotationQueueId,
    id: AnnotationItemId,
) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    if annotation_items::delete(app.postgres(), scope.project_id(), queue, id).await? {
        Ok(())
    } else {
        Err(missing_item())
    }
}

/// Has somebody work on a queue, who must be a member; needs `ManageQueues`. Saying it twice is saying it
/// once.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn assign(
    app: &App,
    scope: &ProjectScope,
    queue: AnnotationQueueId,
    person: PersonId,
) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    show(app, scope, queue).await?;
    let assigned = (person, app.clock().now());
    let (postgres, project) = (app.postgres(), scope.project_id());
    if annotation_queues::assign(postgres, project, queue, assigned).await? {
        Ok(())
    } else {
        Err(Fault::not_found(
            "User not found or without access to this project",
        ))
    }
}

/// Has somebody no longer work on a queue; needs `ManageQueues`. `None`, and whoever did not, changes nothing.
///
/// # Errors
/// `forbidden`, `not_found` for the queue, or `unavailable` without Postgres.
pub async fn unassign(
    app: &App,
    scope: &ProjectScope,
    queue: AnnotationQueueId,
    person: Option<PersonId>,
) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    show(app, scope, queue).await?;
    if let Some(person) = person {
        annotation_queues::unassign(app.postgres(), scope.project_id(), queue, person).await?;
    }
    Ok(())
}

fn missing() -> Fault {
    Fault::not_found("Annotation queue not found")
}

fn missing_item() -> Fault {
    Fault::not_found("Annotation queue item not found")
}
