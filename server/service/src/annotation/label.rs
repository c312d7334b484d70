//! Judgements: the next item, kept for whoever opened it; finished, skipped, taken back.

use domain::annotation::answer::{MAX_REASON_CHARS, check_words};
use domain::annotation::{
    AnnotationItem, Answers, ItemStatus, Label, LabelState, Placed, QueueRules,
};
use domain::tenancy::Permission;
use domain::{AnnotationItemId, AnnotationQueueId, Code, Fault, Nanos, PersonId, Timestamp};
use store_postgres::annotation::{labels, placed, reservations};
use store_postgres::{Transaction, annotation_items};

use super::queues::{self, Queue};
use super::scores::{self, By};
use crate::app::App;
use crate::scope::{Actor, ProjectScope};

/// An item as whoever works on it sees it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The item.
    pub placed: Placed,
    /// What each made of it: those whose judgements the reader may see.
    pub labels: Vec<Label>,
    /// What the reader made of it.
    pub own: Option<Label>,
    /// The items before and after it.
    pub neighbours: (Option<AnnotationItemId>, Option<AnnotationItemId>),
    /// Whether judgements of others are hidden until the reader has judged.
    pub is_hidden: bool,
}

fn rater(scope: &ProjectScope) -> Result<PersonId, Fault> {
    scope.require(Permission::Annotate)?;
    match scope.actor() {
        Actor::Person(person) => Ok(person),
        _ => Err(Fault::new(Code::Forbidden, "people judge, keys do not")),
    }
}

fn until(rules: &QueueRules, now: Timestamp) -> Timestamp {
    now.plus(Nanos::from_seconds(u64::from(rules.reservation_s)))
}

async fn open_queue(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<Queue, Fault> {
    let queue = queues::show(app, scope, id).await?;
    match queue.rules.archived_at {
        None => Ok(queue),
        Some(_) => Err(Fault::new(Code::Conflict, "this queue is archived")),
    }
}

/// A transaction that holds the queue, so that nobody takes a place meanwhile.
async fn hold(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<Transaction, Fault> {
    let mut tx = app.postgres().begin().await?;
    match reservations::hold_queue(&mut tx, scope.project_id(), id).await? {
        true => Ok(tx),
        false => Err(Fault::not_found("Annotation queue not found")),
    }
}

/// Keeps the next item of a queue for whoever asks; `None` when nothing is left for them. Needs `Annotate`.
///
/// # Errors
/// `forbidden`, also for keys; `not_found`; `conflict` for an archived queue; `unavailable` without Postgres.
pub async fn next(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<Option<AnnotationItemId>, Fault> {
    let person = rater(scope)?;
    let Queue { rules, .. } = open_queue(app, scope, id).await?;
    let mut tx = hold(app, scope, id).await?;
    let now = app.clock().now();
    let found = reservations::next(&mut tx, (id, &rules), person, now).await?;
    if let Some(item) = found {
        reservations::reserve(&mut tx, item, person, (now, until(&rules, now))).await?;
    }
    tx.commit().await?;
    Ok(found)
}

/// Keeps one item for whoever asks. Needs `Annotate`.
///
/// # Errors
/// As [`next`]; `conflict` when others have all places, or it is done.
pub async fn take(
    app: &App,
    scope: &ProjectScope,
    (id, item): (AnnotationQueueId, AnnotationItemId),
) -> Result<(), Fault> {
    let person = rater(scope)?;
    let Queue { rules, .. } = open_queue(app, scope, id).await?;
    crate::annotation_queues::item(app, scope, id, item).await?;
    let mut tx = hold(app, scope, id).await?;
    let now = app.clock().now();
    if !reservations::has_place(&mut tx, (item, &rules), person, now).await? {
        return Err(no_place());
    }
    reservations::reserve(&mut tx, item, person, (now, until(&rules, now))).await?;
    tx.commit().await?;
    Ok(())
}

fn no_place() -> Fault {
    Fault::new(
        Code::Conflict,
        "others have this item, or it is done: go on with the next one",
    )
}

/// An item with what was made of it. In a blind queue judgements of others are hidden from those who could still judge it.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn open(
    app: &App,
    scope: &ProjectScope,
    (queue, item): (&Queue, AnnotationItemId),
) -> Result<Opened, Fault> {
    let (db, project, id) = (app.postgres(), scope.project_id(), queue.queue.id);
    let found = placed::show(db, project, id, item).await?;
    let placed = found.ok_or_else(|| Fault::not_found("Annotation queue item not found"))?;
    let mut labels = labels::of_item(db, project, item).await?;
    let neighbours = placed::neighbours(db, project, &placed.item).await?;
    let own = match scope.actor() {
        Actor::Person(person) => labels.iter().find(|label| label.person == person).cloned(),
        _ => None,
    };
    let is_done = own
        .as_ref()
        .is_some_and(|own| own.state == LabelState::Done);
    let is_pending = placed.item.status == ItemStatus::Pending;
    let is_hidden = queue.rules.is_blind && is_pending && !is_done;
    labels.retain(|label| label.state == LabelState::Done && !is_hidden);
    Ok(Opened {
        placed,
        labels,
        own,
        neighbours,
        is_hidden,
    })
}

/// Writes what somebody judged: as scores, then as done. Where a reservation ran out, it counts as long as there is a
/// place. Whoever judged already changes it. Needs `Annotate`.
///
/// # Errors
/// As [`next`]; `invalid` on a question that was left open or has no such answer; `conflict` when others took all places
/// meanwhile; `not_found` when what is judged is not there.
pub async fn finish(
    app: &App,
    scope: &ProjectScope,
    (id, item): (AnnotationQueueId, AnnotationItemId),
    answers: Answers,
) -> Result<(), Fault> {
    let person = rater(scope)?;
    answers.check()?;
    let queue = open_queue(app, scope, id).await?;
    let asked = queues::asked(app, scope, &queue).await?;
    let open = asked
        .iter()
        .find(|asked| !asked.is_optional() && !answers.values.contains_key(&asked.question));
    if let Some(open) = open {
        return Err(Fault::invalid("choose one before Done").on_field(open.question.to_string()));
    }
    let (db, project) = (app.postgres(), scope.project_id());
    let found = placed::show(db, project, id, item).await?;
    let placed = found.ok_or_else(|| Fault::not_found("Annotation queue item not found"))?;
    let before = labels::of_item(db, project, item).await?;
    let before = before.into_iter().find(|label| label.person == person);
    let was_done = before
        .as_ref()
        .is_some_and(|own| own.state == LabelState::Done);

    let mut tx = hold(app, scope, id).await?;
    let now = app.clock().now();
    let rules = &queue.rules;
    if !was_done && !reservations::has_place(&mut tx, (item, rules), person, now).await? {
        return Err(no_place());
    }
    // Before the judgement is kept, with ids that follow from it: whoever has to try again writes the same.
    let by = By::Rater(person);
    scores::write(app, scope, (&placed, &asked), (by, &answers)).await?;
    let label = Label {
        item,
        person,
        state: LabelState::Done,
        reserved_until: now,
        answers,
        reason: String::new(),
        started_at: before.as_ref().map_or(now, |own| own.started_at),
        ended_at: Some(now),
    };
    labels::put(&mut tx, &label).await?;
    settle(&mut tx, scope, (placed.item, rules), now).await?;
    tx.commit().await?;
    Ok(())
}

/// An item is complete when as many people as wanted have judged it.
async fn settle(
    tx: &mut Transaction,
    scope: &ProjectScope,
    (item, rules): (AnnotationItem, &QueueRules),
    now: Timestamp,
) -> Result<(), Fault> {
    let locked = annotation_items::lock(tx, scope.project_id(), item.queue_id, item.id).await?;
    let mut item = locked.ok_or_else(|| Fault::not_found("Annotation queue item not found"))?;
    let done = labels::count_done(tx, item.id).await?;
    let status = match done >= u64::from(rules.raters) {
        true => ItemStatus::Completed,
        false => ItemStatus::Pending,
    };
    item.set_status(status, now);
    Ok(annotation_items::update(tx, &item).await?)
}

/// Leaves an item to others, or to later: it comes again in the end. Needs `Annotate`.
///
/// # Errors
/// As [`next`]; `invalid` on the field `reason`.
pub async fn skip(
    app: &App,
    scope: &ProjectScope,
    (id, item): (AnnotationQueueId, AnnotationItemId),
    reason: &str,
) -> Result<(), Fault> {
    let person = rater(scope)?;
    check_words("reason", Some(reason), MAX_REASON_CHARS)?;
    open_queue(app, scope, id).await?;
    crate::annotation_queues::item(app, scope, id, item).await?;
    let before = labels::of_item(app.postgres(), scope.project_id(), item).await?;
    let before = before.into_iter().find(|label| label.person == person);
    if before
        .as_ref()
        .is_some_and(|own| own.state == LabelState::Done)
    {
        let message = "you judged this item: take that back first";
        return Err(Fault::new(Code::Conflict, message));
    }
    let now = app.clock().now();
    let label = Label {
        item,
        person,
        state: LabelState::Skipped,
        reserved_until: now,
        answers: before
            .as_ref()
            .map(|own| own.answers.clone())
            .unwrap_or_default(),
        reason: reason.trim().to_owned(),
        started_at: before.as_ref().map_or(now, |own| own.started_at),
        ended_at: Some(now),
    };
    let mut tx = hold(app, scope, id).await?;
    labels::put(&mut tx, &label).await?;
    tx.commit().await?;
    Ok(())
}

/// Takes back what whoever asks judged or skipped last in a queue, scores and all, and keeps the item for them; its id, or
/// `None` when there is nothing to take back. Needs `Annotate`.
///
/// # Errors
/// As [`next`]; `unavailable` when the store is behind or away.
pub async fn undo(
    app: &App,
    scope: &ProjectScope,
    id: AnnotationQueueId,
) -> Result<Option<AnnotationItemId>, Fault> {
    let person = rater(scope)?;
    let Queue { rules, .. } = open_queue(app, scope, id).await?;
    let mut tx = hold(app, scope, id).await?;
    let Some(mut label) = labels::last(&mut tx, scope.project_id(), id, person).await? else {
        return Ok(None);
    };
    if label.state == LabelState::Done {
        scores::forget(app, scope, (label.item, person), &label.answers).await?;
    }
    let now = app.clock().now();
    label.state = LabelState::Reserved;
    label.reason = String::new();
    label.reserved_until = until(&rules, now);
    label.started_at = now;
    label.ended_at = None;
    labels::put(&mut tx, &label).await?;
    let item = annotation_items::lock(&mut tx, scope.project_id(), id, label.item).await?;
    if let Some(item) = item {
        settle(&mut tx, scope, (item, &rules), now).await?;
    }
    tx.commit().await?;
    Ok(Some(label.item))
}
