//! Things put into queues: by their ids, or by a filter that finds traces, once or as they come.

use domain::annotation::{ItemStatus, MAX_OBJECT_BYTES, ObjectKind, Placed};
use domain::fill::{Fill, FillDraft, FillTarget};
use domain::tenancy::Permission;
use domain::{AnnotationItemId, AnnotationQueueId, Code, Fault};
use store_postgres::annotation::placed::Put;
use store_postgres::annotation::{placed, reservations};
use store_postgres::fills;
use uuid::Uuid;

use super::queues;
use crate::app::App;
use crate::scope::{Actor, ProjectScope};

/// Items of one queue.
pub(super) const MOST_ITEMS: i64 = 100_000;
/// Things that are put in at once.
pub const MOST_AT_ONCE: usize = 1_000;

/// A thing to be judged; in a pairwise queue with what it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    /// Its id.
    pub id: String,
    /// What it is compared with.
    pub second: Option<String>,
}

/// Puts things into a queue that are not there yet; how many were put. Needs `ManageQueues`.
///
/// # Errors
/// `forbidden`, `not_found`; `invalid` on `ids` for none, too many, or what is no id; `conflict` for an archived queue;
/// `unavailable` without Postgres.
pub async fn add(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
    (kind, things): (ObjectKind, &[Thing]),
) -> Result<u64, Fault> {
    scope.require(Permission::ManageQueues)?;
    let queue = queues::show(app, scope, id).await?;
    if queue.rules.archived_at.is_some() {
        return Err(Fault::new(Code::Conflict, "this queue is archived"));
    }
    let wrong = |message: String| Fault::invalid(message).on_field("ids");
    if things.is_empty() || things.len() > MOST_AT_ONCE {
        return Err(wrong(format!("name 1 to {MOST_AT_ONCE} ids, a line each")));
    }
    for thing in things {
        let all = std::iter::once(&thing.id).chain(&thing.second);
        for id in all {
            if !(1..=MAX_OBJECT_BYTES).contains(&id.len()) || id.contains('\0') {
                return Err(wrong(format!("{id:?} is no id")));
            }
        }
        if thing.second.is_some() != queue.rules.is_pairwise {
            return Err(wrong(match queue.rules.is_pairwise {
                true => "this queue compares pairs: name two ids a line".to_owned(),
                false => "this queue judges things one by one: name one id a line".to_owned(),
            }));
        }
    }
    put(app, scope, id, (kind, things)).await
}

/// The same without a look at the queue's rules; the queue is held, so that nothing is put in twice.
pub(crate) async fn put(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
    (kind, things): (ObjectKind, &[Thing]),
) -> Result<u64, Fault> {
    let mut seen = std::collections::HashSet::new();
    let fresh = things
        .iter()
        .filter(|thing| seen.insert((&thing.id, &thing.second)));
    let put: Vec<Put> = fresh
        .map(|thing| Put {
            id: AnnotationItemId(Uuid::now_v7()),
            object_id: thing.id.clone(),
            second_id: thing.second.clone(),
        })
        .collect();
    let mut tx = app.postgres().begin().await?;
    let project = scope.project_id();
    if !reservations::hold_queue(&mut tx, project, id).await? {
        return Err(Fault::not_found("Annotation queue not found"));
    }
    let limits = (app.clock().now(), MOST_ITEMS);
    let added = placed::put(&mut tx, (project, id), (kind, &put), limits).await?;
    tx.commit().await?;
    Ok(added)
}

/// Has traces that match put into a queue, once or as they come; needs `ManageQueues`. It takes the place of what was set
/// before.
///
/// # Errors
/// `forbidden`, also for keys; `not_found`; `conflict` for an archived queue; `invalid` for a pairwise queue; `unavailable`
/// without Postgres.
pub async fn set(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
    draft: FillDraft,
) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    let Actor::Person(person) = scope.actor() else {
        return Err(Fault::new(
            Code::Forbidden,
            "people fill queues, keys do not",
        ));
    };
    let queue = queues::show(app, scope, id).await?;
    if queue.rules.archived_at.is_some() {
        return Err(Fault::new(Code::Conflict, "this queue is archived"));
    }
    if queue.rules.is_pairwise {
        return Err(Fault::invalid(
            "a filter finds no pairs: name these by their ids",
        ));
    }
    let by = (person, app.clock().now());
    let place = (scope.project_id(), FillTarget::Queue(id));
    if !fills::set(app.postgres(), place, &draft, by).await? {
        return Err(Fault::not_found("Annotation queue not found"));
    }
    app.wake_fills().notify_one();
    Ok(())
}

/// Has a queue filled no more; needs `ManageQueues`. What is in it stays.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn end(app: &App, scope: &ProjectScope, id: AnnotationQueueId) -> Result<(), Fault> {
    scope.require(Permission::ManageQueues)?;
    queues::show(app, scope, id).await?;
    let target = FillTarget::Queue(id);
    Ok(fills::end(app.postgres(), scope.project_id(), target).await?)
}

/// What fills a queue, or filled it last.
///
/// # Errors
/// `unavailable` without Postgres; so for all reads here.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<Option<Fill>, Fault> {
    let target = FillTarget::Queue(id);
    Ok(fills::show(app.postgres(), scope.project_id(), target).await?)
}

/// Items of a queue, of one status where one is given, the oldest first.
///
/// # Errors
/// As [`show`].
pub async fn items(
    app: &App,
    scope: &ProjectScope,
    wanted: (AnnotationQueueId, Option<ItemStatus>),
    slice: (u64, u32),
) -> Result<Vec<Placed>, Fault> {
    Ok(placed::list(app.postgres(), scope.project_id(), wanted, slice).await?)
}
