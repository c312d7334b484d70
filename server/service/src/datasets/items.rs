//! Items: written, deleted, read as they are and as they were.

use domain::dataset::{
    Attached, Dataset, DatasetItem, DatasetItemId, DatasetKind, DatasetName, ItemDraft,
};
use domain::media::MediaId;
use domain::tenancy::Permission;
use domain::{Code, Fault, Nanos, SpanId, Timestamp, TraceId};
use store_postgres::datasets::{self, Last, WantedItems};
use store_postgres::media;
use uuid::Uuid;

use super::{find, missing, whole_millis};
use crate::app::App;
use crate::media::forget_item;
use crate::reads::Turn;
use crate::scope::{Actor, ProjectScope};

/// The least time between two versions of an item.
const TICK: Nanos = Nanos::from_millis(1);

/// Which items are listed: active ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemFilter {
    /// Those of the dataset of that name, in all ways in which it may be meant.
    pub dataset: Option<Vec<DatasetName>>,
    /// Those that were taken from that trace.
    pub source_trace: Option<TraceId>,
    /// Those that were taken from that observation.
    pub source_observation: Option<SpanId>,
    /// As they were then.
    pub version: Option<Timestamp>,
}

/// Makes an item, or writes the next version of the one that there is; needs `ChangeDatasets`. Without
/// an id it gets one. Who changes an item of a golden dataset says why; programs cannot, and may nevertheless.
///
/// # Errors
/// `forbidden`; `not_found` when there is no such dataset; `conflict` when the id is that of an item of
/// another one; `invalid` on `reason` when it is missing, and when the item would not follow the schemas of its dataset, or names an attachment
/// that the project does not have; `unavailable` without Postgres.
pub async fn write_item(
    app: &App,
    scope: &ProjectScope,
    (dataset, id): (&DatasetName, Option<DatasetItemId>),
    draft: ItemDraft,
) -> Result<DatasetItem, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    draft.check()?;
    let project = scope.project_id();
    let id = match id {
        Some(id) => id,
        None => DatasetItemId::parse(&Uuid::now_v7().to_string())?,
    };
    let mut tx = app.postgres().begin().await?;
    let held = datasets::hold(&mut tx, project, dataset).await?;
    let dataset = held.ok_or_else(|| missing(dataset))?;
    datasets::lock_item(&mut tx, project, &id).await?;
    // Told while nobody else writes the item, so that its times rise.
    let now = app.clock().now();
    let place = (dataset.id, dataset.name.clone());
    let (mut item, before) = match datasets::last(&mut tx, project, &id).await? {
        Last::Item(item) if item.dataset_id != dataset.id => {
            let message = format!("the id {id} is that of an item of another dataset");
            return Err(Fault::new(Code::Conflict, message).on_field("id"));
        }
        Last::Item(item) => {
            let before = item.updated_at;
            (*item, Some(before))
        }
        Last::Deleted(since) => (DatasetItem::empty(id, place, now), Some(since)),
        Last::Never => (DatasetItem::empty(id, place, now), None),
    };
    let attached = draft.attached()?;
    let old = item.clone();
    draft.change(&mut item);
    if before.is_some() {
        is_explained(scope, &dataset, (&old, &item))?;
    }
    item.updated_at = after(before, whole_millis(now));
    item.changed_by = Some(author(scope));
    follows(&dataset, &item)?;
    datasets::create_version(&mut tx, project, &item).await?;
    let owner = (item.dataset_id, &item.id);
    let missing = media::name(&mut tx, project, owner, &attached, now).await?;
    has_all(&attached, &missing)?;
    tx.commit().await?;
    Ok(item)
}

/// Who writes, as versions keep it.
pub(super) fn author(scope: &ProjectScope) -> String {
    match scope.actor() {
        Actor::Person(id) => id.to_string(),
        Actor::Server => "server".to_owned(),
        Actor::Key(_) | Actor::Operator | Actor::Anybody => "API".to_owned(),
    }
}

/// Fails when an item does not follow the schemas of its dataset.
pub(super) fn follows(dataset: &Dataset, item: &DatasetItem) -> Result<(), Fault> {
    let violations = dataset.schemas()?.violations(item);
    if violations.is_empty() {
        return Ok(());
    }
    let words = violations
        .iter()
        .map(|violation| format!("{} {}", violation.field, violation.why));
    Err(Fault::invalid(words.collect::<Vec<_>>().join("; ")))
}

/// Fails when an attachment is missing.
pub(super) fn has_all(attached: &[Attached], missing: &[MediaId]) -> Result<(), Fault> {
    match attached.iter().find(|named| missing.contains(&named.id)) {
        None => Ok(()),
        Some(named) => {
            let message = format!("Media {} not found or not uploaded yet", named.id);
            Err(Fault::invalid(message).on_field(named.field.as_str()))
        }
    }
}

/// Fails when a person changes what an item of a golden dataset says, and does not say why.
fn is_explained(
    scope: &ProjectScope,
    dataset: &Dataset,
    (old, new): (&DatasetItem, &DatasetItem),
) -> Result<(), Fault> {
    let is_asked = dataset.kind == DatasetKind::Golden && matches!(scope.actor(), Actor::Person(_));
    let is_same = old.input == new.input
        && old.expected_output == new.expected_output
        && old.metadata == new.metadata;
    let is_said = new
        .reason
        .as_deref()
        .is_some_and(|reason| !reason.trim().is_empty());
    if is_asked && !is_same && !is_said {
        let message = "say why: this dataset is golden";
        return Err(Fault::invalid(message).on_field("reason"));
    }
    Ok(())
}

/// A time that is not before `now` and later than the version before.
fn after(before: Option<Timestamp>, now: Timestamp) -> Timestamp {
    before.map_or(now, |before| now.max(before.plus(TICK)))
}

/// One item as it is, archived or not.
///
/// # Errors
/// `not_found`; `unavailable` without Postgres; so for all reads here.
pub async fn show_item(
    app: &App,
    scope: &ProjectScope,
    id: &DatasetItemId,
) -> Result<DatasetItem, Fault> {
    let mut tx = app.postgres().begin_reading().await?;
    match datasets::last(&mut tx, scope.project_id(), id).await? {
        Last::Item(item) => Ok(*item),
        Last::Deleted(_) | Last::Never => Err(no_such_item(id)),
    }
}

/// Deletes an item, and the attachments that nothing else names; needs `ChangeDatasets`. It stays in what
/// its dataset was before.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete_item(app: &App, scope: &ProjectScope, id: &DatasetItemId) -> Result<(), Fault> {
    scope.require(Permission::ChangeDatasets)?;
    let project = scope.project_id();
    let mut tx = app.postgres().begin().await?;
    datasets::lock_item(&mut tx, project, id).await?;
    let Last::Item(item) = datasets::last(&mut tx, project, id).await? else {
        return Err(no_such_item(id));
    };
    let now = after(Some(item.updated_at), whole_millis(app.clock().now()));
    let by = (now, author(scope));
    datasets::delete_item(&mut tx, project, &item, (by.0, &by.1)).await?;
    forget_item(app, &mut tx, project, (item.dataset_id, id)).await?;
    tx.commit().await?;
    Ok(())
}

/// Items, newest first, and how many there are in all. Items may be large: the turn is to be kept as long
/// as they are.
///
/// # Errors
/// `not_found` when there is no such dataset; as [`show_item`].
pub async fn list_items(
    app: &App,
    scope: &ProjectScope,
    filter: &ItemFilter,
    slice: (u64, u32),
) -> Result<(Vec<DatasetItem>, u64, Turn), Fault> {
    let project = scope.project_id();
    let turn = app.reads().turn(project, u64::from(slice.1)).await?;
    let dataset = match &filter.dataset {
        None => None,
        Some(names) => {
            let mut tx = app.postgres().begin_reading().await?;
            Some(find(&mut tx, scope, names).await?.id)
        }
    };
    let wanted = WantedItems {
        dataset,
        source_trace: filter.source_trace.clone(),
        source_observation: filter.source_observation.clone(),
        version: filter.version,
    };
    let (items, total) = datasets::list_items(app.postgres(), project, &wanted, slice).await?;
    Ok((items, total, turn))
}

pub(super) fn no_such_item(id: &DatasetItemId) -> Fault {
    Fault::not_found(format!("Dataset item not found: '{id}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_later_than_the_one_before_whatever_the_clock_says() {
        let at = |millis| Timestamp::from_unix_millis(millis).unwrap();
        assert_eq!(after(None, at(5)), at(5));
        assert_eq!(after(Some(at(4)), at(5)), at(5));
        assert_eq!(after(Some(at(5)), at(5)), at(6));
        assert_eq!(after(Some(at(9)), at(5)), at(10));
        let fine = Timestamp::from_unix_nanos(1_750_000_000_123_999_999).unwrap();
        assert_eq!(whole_millis(fine), at(1_750_000_000_123));
    }
}
