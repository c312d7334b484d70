//! Filters that fill datasets, and what they find taken in.

use domain::dataset::{DatasetItem, DatasetItemId, DatasetKind, DatasetName, ItemDraft};
use domain::fill::{Fill, FillDraft, FillTarget};
use domain::tenancy::Permission;
use domain::{Code, DatasetId, Fault, Timestamp};
use store_postgres::datasets::{self, Last};
use store_postgres::{fills, media};

use super::items::{author, follows, has_all};
use super::{find_by_id, missing, whole_millis};
use crate::app::App;
use crate::scope::{Actor, ProjectScope};

/// Has what matches put into a rolling or an adversarial dataset; needs `ChangeDatasets`. It takes the place of what was
/// set before; a rolling dataset is filled as things come.
///
/// # Errors
/// `forbidden`, also for keys; `not_found`; `conflict` for an archived dataset; `invalid` on a field, or for a dataset of
/// another kind; `unavailable` without Postgres.
pub async fn set_fill(
    app: &App,
    scope: &ProjectScope,
    id: DatasetId,
    mut draft: FillDraft,
) -> Result<(), Fault> {
    scope.require(Permission::ChangeDatasets)?;
    let Actor::Person(person) = scope.actor() else {
        let message = "people say what fills datasets, keys do not";
        return Err(Fault::new(Code::Forbidden, message));
    };
    let dataset = find_by_id(app, scope, id).await?;
    if dataset.archived_at.is_some() {
        return Err(Fault::new(Code::Conflict, "this dataset is archived"));
    }
    draft.check()?;
    match dataset.kind {
        DatasetKind::Rolling => {
            draft.is_continuous = true;
            draft.challenge = None;
        }
        DatasetKind::Adversarial => draft.challenge = Some(draft.challenge.unwrap_or_default()),
        DatasetKind::Plain | DatasetKind::Golden => {
            let message = "only rolling and adversarial datasets are filled by a filter";
            return Err(Fault::invalid(message));
        }
    }
    let place = (scope.project_id(), FillTarget::Dataset(id));
    let by = (person, app.clock().now());
    if !fills::set(app.postgres(), place, &draft, by).await? {
        return Err(super::manage::no_such_dataset());
    }
    app.wake_fills().notify_one();
    Ok(())
}

/// Has a dataset filled no more; needs `ChangeDatasets`. What is in it stays.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn end_fill(app: &App, scope: &ProjectScope, id: DatasetId) -> Result<(), Fault> {
    scope.require(Permission::ChangeDatasets)?;
    find_by_id(app, scope, id).await?;
    let target = FillTarget::Dataset(id);
    Ok(fills::end(app.postgres(), scope.project_id(), target).await?)
}

/// What fills a dataset, or filled it last.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn show_fill(
    app: &App,
    scope: &ProjectScope,
    id: DatasetId,
) -> Result<Option<Fill>, Fault> {
    let target = FillTarget::Dataset(id);
    Ok(fills::show(app.postgres(), scope.project_id(), target).await?)
}

/// Makes an item of what was found, unless there is, or was, one of that id; whether it was made. It counts as made when
/// what it was taken from began, so that the oldest of these leave first.
pub(crate) async fn take_in(
    app: &App,
    scope: &ProjectScope,
    (dataset, id): (&DatasetName, DatasetItemId),
    draft: ItemDraft,
    began: Timestamp,
) -> Result<bool, Fault> {
    let project = scope.project_id();
    let mut tx = app.postgres().begin().await?;
    let held = datasets::hold(&mut tx, project, dataset).await?;
    let dataset = held.ok_or_else(|| missing(dataset))?;
    datasets::lock_item(&mut tx, project, &id).await?;
    if datasets::last(&mut tx, project, &id).await? != Last::Never {
        return Ok(false);
    }
    let now = app.clock().now();
    let place = (dataset.id, dataset.name.clone());
    // Clocks of others may be ahead.
    let mut item = DatasetItem::empty(id, place, began.min(now));
    let attached = draft.attached()?;
    draft.change(&mut item);
    item.updated_at = whole_millis(now);
    item.changed_by = Some(author(scope));
    follows(&dataset, &item)?;
    datasets::create_version(&mut tx, project, &item).await?;
    let owner = (item.dataset_id, &item.id);
    let missing = media::name(&mut tx, project, owner, &attached, now).await?;
    has_all(&attached, &missing)?;
    tx.commit().await?;
    Ok(true)
}
