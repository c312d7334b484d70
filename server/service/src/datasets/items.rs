//! Items: written, deleted, read as they are and as they were.

use domain::dataset::{DatasetItem, DatasetItemId, DatasetName, ItemDraft};
use domain::tenancy::Permission;
use domain::{Code, Fault, Nanos, SpanId, Timestamp, TraceId};
use store_postgres::datasets::{self, Last, WantedItems};
use store_postgres::media;
use uuid::Uuid;

use super::{find, missing, whole_millis};
use crate::app::App;
use crate::media::forget_item;
use crate::reads::Turn;
use crate::scope::ProjectScope;

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
/// an id it gets one.
///
/// # Errors
/// `forbidden`; `not_found` when there is no such dataset; `conflict` when the id is that of an item of
/// another one; `invalid` when the item would not follow the schemas of its dataset, or names an attachment
/// that the project does not have; `unavailable` without Postgres.
pub async fn write_item(
    app: &App,
    scope: &ProjectScope,
    (dataset, id): (&DatasetName, Option<DatasetItemId>),
    draft: ItemDraft,
) -> Result<DatasetItem, Fault> {
    scope.require(Permission::ChangeDatasets)?;
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
    draft.change(&mut item);
    item.updated_at = after(before, whole_millis(now));
    let violations = dataset.schemas()?.violations(&item);
    if !violations.is_empty() {
        let words = violations
            .iter()
            .map(|violation| format!("{} {}", violation.field, violation.why));
        return Err(Fault::invalid(words.collect::<Vec<_>>().join("; ")));
    }
    datasets::create_version(&mut tx, project, &item).await?;
    let owner = (item.dataset_id, &item.id);
    let missing = media::name(&mut tx, project, owner, &attached, now).await?;
    if let Some(named) = attached.iter().find(|named| missing.contains(&named.id)) {
        let message = format!("Media {} not found or not uploaded yet", named.id);
        return Err(Fault::invalid(message).on_field(named.field.as_str()));
    }
    tx.commit().await?;
    Ok(item)
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
    datasets::delete_item(&mut tx, project, &item, now).await?;
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
